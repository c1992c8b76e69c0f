"""The graph's derived rows in the admin, to be looked at. What people decide is in `graph.admin.curation`."""

from django.contrib import admin

from datasources.admin import OF_ITS_DATASOURCE, ReadOnlyAdmin
from graph.models import (
    EntityMention,
    EntityPosition,
    MergeCandidate,
    NameBlock,
    PairVerdict,
    Relation,
    RelationMention,
)


@admin.register(NameBlock)
class NameBlockAdmin(ReadOnlyAdmin):
    open_fields = ("name", "sure")
    list_display = ("block", *open_fields)
    list_filter = ("sure",)
    list_select_related = ("name",)
    search_fields = ("name__name",)


@admin.register(EntityMention)
class EntityMentionAdmin(ReadOnlyAdmin):
    open_fields = ("document", "defines", "live", "extractor", "datasource")
    list_display = ("name", "document", "defines", "live", "extractor")
    list_filter = ("live", "defines", "extractor", OF_ITS_DATASOURCE)
    list_select_related = ("document",)
    search_fields = ("name", "key", "document__title")


@admin.register(RelationMention)
class RelationMentionAdmin(ReadOnlyAdmin):
    open_fields = ("document", "strength", "live", "extractor", "datasource")
    list_display = ("source_key", "target_key", "document", "strength", "live", "extractor")
    list_filter = ("live", "extractor", OF_ITS_DATASOURCE)
    list_select_related = ("document",)
    search_fields = ("source_key", "target_key", "document__title")


@admin.register(Relation)
class RelationAdmin(ReadOnlyAdmin):
    open_fields = ("source", "target", "strength", "mention_count", "quoted", "datasource")
    list_display = ("source", "type", "target", *open_fields[2:])
    list_filter = ("quoted", OF_ITS_DATASOURCE)
    list_select_related = ("source", "target", "datasource")
    search_fields = ("source__name", "target__name", "description")


@admin.register(EntityPosition)
class EntityPositionAdmin(ReadOnlyAdmin):
    list_display = open_fields = ("entity", "x", "y")
    list_filter = (("entity__datasource", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("entity",)
    search_fields = ("entity__name",)


@admin.register(MergeCandidate)
class MergeCandidateAdmin(ReadOnlyAdmin):
    list_display = open_fields = ("a", "b", "score", "datasource")
    list_filter = (OF_ITS_DATASOURCE,)
    list_select_related = ("a", "b", "datasource")
    search_fields = ("a__name", "b__name")


@admin.register(PairVerdict)
class PairVerdictAdmin(ReadOnlyAdmin):
    open_fields = ("verdict", "model", "created", "datasource")
    list_display = ("key", "other_key", *open_fields)
    list_filter = ("verdict", "model", OF_ITS_DATASOURCE)
    list_select_related = ("datasource",)
    search_fields = ("key", "other_key", "model")
