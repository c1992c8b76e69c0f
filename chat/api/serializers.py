"""The JSON of conversations and questions, and the shapes of answers and citations for the schema."""

from typing import Any

from rest_framework import serializers

from accounts.api_fields import KnownFields
from chat.models import Budget, Conversation, Mode, TurnStatus
from citations.choices import ConfirmedBy, OnPage, Support
from datasources.models.documents import READ_ELSEWHERE
from ingestion.api.serializers import ErrorSerializer
from retrieval.api.views import MAX_DOCUMENTS


class ConversationSerializer(serializers.ModelSerializer[Conversation]):
    documents = serializers.ListField(
        source="document_ids",
        child=serializers.IntegerField(),
        read_only=True,
        allow_null=True,
        help_text="Only these are searched; null means all.",
    )

    class Meta:
        model = Conversation
        fields = ("id", "datasource", "title", "documents", "created", "updated")
        read_only_fields = fields


class ConversationChangeSerializer(KnownFields[Any]):
    title = serializers.CharField(required=False, max_length=200)
    documents = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        allow_null=True,
        max_length=MAX_DOCUMENTS,
        help_text="Null means all.",
    )


class QuestionSerializer(KnownFields[Any]):
    question = serializers.CharField(allow_blank=True, trim_whitespace=False)
    conversation = serializers.UUIDField(required=False, help_text="Go on in it; else a new one begins.")
    documents = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        allow_null=True,
        max_length=MAX_DOCUMENTS,
        help_text="Search only these; null means all. Left out, the conversation's choice stays.",
    )
    mode = serializers.ChoiceField(Mode.choices, default=Mode.AGENT)
    model = serializers.IntegerField(
        required=False, help_text="Number of an offered model; see data-sources/{id}/models."
    )
    fresh = serializers.BooleanField(
        default=False, help_text="Answer anew, even where the same was answered before."
    )
    wait = serializers.BooleanField(default=True, help_text="Answer when the turn has ended, 300 s at most.")


# --- shapes, made by chat.exports --------------------------------------------------------------------------
class CitedDocumentSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(allow_null=True, help_text="Null when it was deleted or there is none.")
    title = serializers.CharField()


class CheckSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    passed = serializers.BooleanField()
    detail = serializers.CharField()


class JudgeSerializer(serializers.Serializer[Any]):
    supported = serializers.BooleanField(required=False)
    verdict = serializers.ChoiceField(["supports", "contradicts", "neither"], required=False)
    words = serializers.CharField(required=False, help_text="Of the quote, on which it turns.")
    reason = serializers.CharField(required=False)
    model = serializers.CharField(required=False)
    writer = serializers.BooleanField(required=False, help_text="Whether it also wrote the answer.")


class CitationSerializer(serializers.Serializer[Any]):
    n = serializers.IntegerField()
    document = CitedDocumentSerializer()
    cited_as = serializers.CharField(
        help_text="A shorter name than the title, such as “Vaswani et al. 2017”; else empty."
    )
    pages = serializers.ListField(child=serializers.IntegerField())
    place_in_file = serializers.CharField(
        help_text="Where it stands in a file without pages of its own: “Slide 7”. In others “filled in” for"
        " the value of a form's field, “not visible on the page” or “printed in other letters” where the page"
        " and its text disagree, “not compared with the page” where that is not known; else empty."
    )
    quote = serializers.CharField(help_text="The source's own words; the model's when none was found.")
    start = serializers.IntegerField(allow_null=True, help_text="Offset in the document's text.")
    end = serializers.IntegerField(allow_null=True)
    before = serializers.CharField(help_text="The rest of the quote's sentence, before it.")
    after = serializers.CharField(help_text="The rest of the quote's sentence, behind it.")
    on_page = serializers.ChoiceField(OnPage.choices, help_text="Whether the quote stands on the page.")
    read_elsewhere = serializers.BooleanField(help_text=READ_ELSEWHERE)
    support = serializers.ChoiceField(Support.choices, help_text="Whether the quote supports the claim.")
    confirmed_by = serializers.ChoiceField(
        ConfirmedBy.choices, allow_blank=True, help_text="Who says that it does; empty where nobody does."
    )
    reader = serializers.CharField(help_text="Name of the second reader; empty where none has read it.")
    reason = serializers.CharField(help_text="Why it does not.")
    checks = CheckSerializer(many=True)
    judge = JudgeSerializer(help_text="Empty when no judge model was asked.")
    masked = serializers.ListField(
        child=serializers.CharField(), help_text="Kinds of personal data that are masked in its texts."
    )
    claim = serializers.CharField()


class RecognisedSerializer(serializers.Serializer[Any]):
    doubtful = serializers.ListField(child=serializers.CharField(), help_text="Words that were hard to read.")


class PlacedCitationSerializer(CitationSerializer):
    ocr = RecognisedSerializer(allow_null=True, help_text="Where the quote was read by OCR; else null.")
    boxes = serializers.DictField(
        child=serializers.ListField(child=serializers.ListField(child=serializers.FloatField())),
        help_text="By page number: [x0, y0, x1, y1] of each line, 0 to 1000 from the top left corner.",
    )
    images = serializers.DictField(child=serializers.CharField(), help_text="The marked page, by number.")
    crops = serializers.DictField(
        child=serializers.CharField(), help_text="The quote's surroundings, by page number."
    )
    pdf = serializers.CharField(allow_null=True, help_text="Just the pages that it overlaps.")


class NearestSerializer(serializers.Serializer[Any]):
    document = serializers.IntegerField()
    title = serializers.CharField()
    chunk = serializers.IntegerField()
    pages = serializers.ListField(child=serializers.IntegerField())
    text = serializers.CharField(help_text="Its sentence or row that is nearest to the question.")
    score = serializers.FloatField()
    read_elsewhere = serializers.BooleanField(help_text=READ_ELSEWHERE)


class SearchSerializer(serializers.Serializer[Any]):
    complete = serializers.BooleanField(required=False, help_text="Whether the documents cannot answer it.")
    words = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Of the question, that were looked up."
    )
    words_absent = serializers.ListField(child=serializers.CharField(), required=False)
    names_absent = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="For which the search is complete."
    )
    unread = serializers.IntegerField(required=False, help_text="Documents that could not be searched whole.")
    searched = serializers.BooleanField(required=False, help_text="Whether the model searched at all.")
    foreign = serializers.CharField(
        required=False, help_text="The question's language (ISO 639-1), where no document is in it."
    )


class StepSerializer(serializers.Serializer[Any]):
    tool = serializers.CharField()
    arguments = serializers.DictField()
    hits = serializers.IntegerField()
    ms = serializers.IntegerField()


class UsageSerializer(serializers.Serializer[Any]):
    prompt_tokens = serializers.IntegerField(required=False)
    completion_tokens = serializers.IntegerField(required=False)


class CountedSerializer(serializers.Serializer[Any]):
    document = serializers.IntegerField()
    title = serializers.CharField()
    passages = serializers.IntegerField(required=False, help_text="That have the words.")
    places = serializers.IntegerField(required=False, help_text="Where they stand.")
    chunk = serializers.IntegerField(required=False, help_text="The first of the passages.")
    page = serializers.IntegerField(required=False, help_text="Its page.")


class NoticeSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = serializers.CharField(help_text="What a reader must know, for people.")
    documents = CountedSerializer(
        many=True,
        required=False,
        help_text="Of a count: those with the words. Of `unread`: those that were being read.",
    )


class DifferSideSerializer(serializers.Serializer[Any]):
    citation = serializers.IntegerField(help_text="Number of the citation that says it.")
    value = serializers.CharField(help_text="In the words of its quote.")


class DifferSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField(help_text="Of the values: duration, amount, date ...")
    sides = DifferSideSerializer(many=True, help_text="Two, of different documents.")
    ranked_by = serializers.IntegerField(
        allow_null=True, help_text="The citation of a sentence that says which document governs."
    )


class AnswerVerdictSerializer(serializers.Serializer[Any]):
    grounded = serializers.BooleanField(required=False, help_text="A source supports each sentence.")
    hallucinated = serializers.BooleanField(required=False, help_text="A claim is invented or contradicted.")
    relevant = serializers.BooleanField(
        required=False, allow_null=True, help_text="As a second reader says; null where none has read it."
    )
    answers = serializers.ChoiceField(
        ["wholly", "partly", "not"],
        required=False,
        allow_null=True,
        help_text="How much of the question, as a second reader says; null where none has read it.",
    )
    confidence = serializers.FloatField(required=False, help_text="The share that is confirmed, 0 to 1.")
    confirmed_by_code = serializers.IntegerField(required=False)
    confirmed_by_reader = serializers.IntegerField(required=False)
    claims = serializers.IntegerField(required=False)
    supported = serializers.IntegerField(required=False)
    invented = serializers.IntegerField(required=False)
    unsourced = serializers.IntegerField(required=False)
    sources = serializers.ListField(child=serializers.CharField(), required=False)


class TurnSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    conversation = serializers.UUIDField()
    number = serializers.IntegerField(help_text="From 1, in the order in which they were asked.")
    question = serializers.CharField()
    answer = serializers.CharField(help_text="Markdown; [n] where citation n stands. Empty for not_found.")
    status = serializers.ChoiceField(TurnStatus.choices)
    ahead = serializers.IntegerField(
        allow_null=True,
        help_text="While it is queued: how many questions, of everybody, come before it. Null afterwards.",
    )
    standalone = serializers.CharField(help_text="The question as it was understood by itself.")
    intent = serializers.CharField(help_text="Its type: factual, comparison, aggregation ...")
    missing = serializers.CharField(help_text="What a partial answer lacks.")
    notices = NoticeSerializer(many=True)
    verdict = AnswerVerdictSerializer(help_text="Empty where nothing is claimed.")
    withheld = serializers.CharField(help_text="What a strict datasource does not show as an answer.")
    reused_from = serializers.UUIDField(allow_null=True, help_text="The turn whose answer it repeats.")
    differ = DifferSerializer(
        allow_null=True, help_text="Two documents that answer differently; null where none were found."
    )
    citations = CitationSerializer(many=True)
    unsourced = serializers.IntegerField(help_text="Sentences of the answer that cite nothing.")
    nearest = NearestSerializer(many=True)
    search = SearchSerializer(help_text="Empty unless nothing was found.")
    steps = StepSerializer(many=True)
    model = serializers.CharField()
    stopped_by = serializers.ChoiceField(
        Budget.choices, allow_blank=True, help_text="The budget that kept a language model from answering."
    )
    usage = UsageSerializer()
    money = serializers.CharField(
        allow_null=True, help_text="What its models cost, in the currency of the prices; null while unknown."
    )
    seconds = serializers.FloatField(allow_null=True)
    error = ErrorSerializer(allow_null=True)


class AcceptedTurnSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    conversation = serializers.UUIDField()
    status = serializers.ChoiceField(TurnStatus.choices)
    ahead = serializers.IntegerField(
        allow_null=True, help_text="How many questions, of everybody, come before it."
    )
    turn = serializers.CharField(help_text="Address of the turn.")
    events = serializers.CharField(help_text="Address of its event stream.")


class ConversationDetailSerializer(ConversationSerializer):
    turns = TurnSerializer(many=True)

    class Meta(ConversationSerializer.Meta):
        fields = (*ConversationSerializer.Meta.fields, "turns")  # type: ignore[assignment]


class StoppedSerializer(TurnSerializer):
    stopped = serializers.BooleanField(help_text="False when it had ended already.")
