"""manage.py vectors: how each datasource's vectors are searched; tests, rebuilds and changes the model."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from datasources.models import Datasource
from datasources.numbers import number_in, whole
from ingestion.indexes import reembedding, vector_index
from ingestion.models import SpaceStatus
from providers.protocols import ProviderError
from retrieval import recall


class Command(BaseCommand):
    help = "How vectors are searched. Without a datasource: of all that have any."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("datasource", nargs="?", help="its name or number")
        parser.add_argument("--all", action="store_true", help="Act on all datasources of the server.")
        acts = parser.add_mutually_exclusive_group()
        acts.add_argument("--test", action="store_true", help="Compare the index with an exact scan.")
        acts.add_argument("--rebuild", action="store_true", help="Build the index again, then test it.")
        acts.add_argument(
            "--change-model",
            action="store_true",
            help="Embed again with the model that is set; a worker does.",
        )
        acts.add_argument(
            "--undo", action="store_true", help="Stop a change of the model, or go back to the one before."
        )
        parser.add_argument(
            "--queries",
            type=whole(1, recall.MOST_QUERIES),
            default=recall.QUERIES,
            help="How many the test makes.",
        )

    def handle(self, *, datasource: str | None, **options: Any) -> None:
        broken = False
        changes = options["rebuild"] or options["change_model"] or options["undo"]
        if changes and not datasource and not options["all"]:
            raise CommandError("Name a datasource, or say --all for every one on this server.")
        named = _named(datasource)
        if changes and datasource and len(named) > 1:
            numbers = ", ".join(str(each.pk) for each in named)
            raise CommandError(f"Several datasources are called “{datasource}”. Give a number: {numbers}.")
        for chosen in named:
            try:
                broken |= self._act(chosen, options)
            except ProviderError as error:
                raise CommandError(f"{chosen}: {error.message}") from error
        if broken:
            raise SystemExit(1)

    def _act(self, chosen: Datasource, options: dict[str, Any]) -> bool:
        if options["change_model"] or options["undo"]:
            act = reembedding.undo if options["undo"] else reembedding.change_to_configured
            space = act(chosen)
            told = f"{space}, {space.get_status_display().lower()}" if space else "there is nothing to change"
            self.stdout.write(f"{chosen.pk} {chosen}: {told}")
            return False
        current = chosen.vector_spaces.filter(status=SpaceStatus.CURRENT).first()
        if current is None:
            self.stdout.write(f"{chosen.pk} {chosen}: no vectors yet")
            return False
        if options["rebuild"]:
            vector_index.maintain(current, rebuild=True)
        tested = options["test"] or options["rebuild"]
        report = recall.measure(chosen, options["queries"]) if tested else recall.report(current)
        assert report
        self.stdout.write(f"{chosen.pk} {chosen}: {report.detail}")
        for space in chosen.vector_spaces.exclude(status=SpaceStatus.CURRENT):
            told = f"{space.error_message} {space.error_hint}" if space.error_code else ""
            self.stdout.write(f"  {space}: {space.get_status_display().lower()}. {told}".rstrip())
        if report.advice:
            self.stdout.write(f"  {report.advice}")
        return bool(report.advice)


def _named(name: str | None) -> list[Datasource]:
    if name is None:
        return list(Datasource.objects.order_by("pk"))
    found = list(Datasource.objects.filter(pk=number_in(name) or 0))
    found = found or list(Datasource.objects.filter(name__iexact=name).order_by("pk"))
    if not found:
        raise CommandError(f"There is no datasource “{name}”.")
    return found
