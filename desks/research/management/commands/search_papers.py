"""manage.py search_papers: asks arXiv in this process, in its turn, and prints what it finds."""

import argparse
import json
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from datasources.lookup import user_named
from datasources.numbers import whole
from desks.research import searching
from desks.research.arxiv_api.query import FARTHEST, SORTS, PaperQuery
from desks.research.models import SearchStatus
from text.counted import counted


class Command(BaseCommand):
    help = "Searches arXiv by words, by its own syntax (ti:attention AND au:vaswani), by numbers or links."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("query", nargs="?", default="")
        parser.add_argument("--title", default="")
        parser.add_argument("--author", default="", help="Several with commas between them.")
        parser.add_argument("--category", default="", help="Such as cs.CL; several with commas.")
        parser.add_argument("--since", default="", help="A day such as 2024-01-31, or a year.")
        parser.add_argument("--until", default="")
        parser.add_argument("--sort", choices=list(SORTS), default="relevance")
        parser.add_argument("--start", type=whole(0, FARTHEST), default=0, help="Leave out so many results.")
        parser.add_argument("--user", help="E-mail address; the first administrator without it.")
        parser.add_argument("--json", action="store_true", dest="as_json", help="Print JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        person = user_named(options["user"])
        values = {**options, "words": options["query"], "categories": options["category"]}
        try:
            row = searching.find(person, PaperQuery.of(values), queued=False, again=True)
        except ValidationError as refusal:
            raise CommandError(refusal.messages[0]) from refusal
        searching.carry_on(str(row.pk))
        row.refresh_from_db()
        if row.status != SearchStatus.DONE:
            raise CommandError(f"{row.error_message} {row.error_hint}".strip() or "The search did not end.")
        if options["as_json"]:
            papers = [paper.as_json() | {"withdrawn": paper.is_withdrawn} for paper in row.papers]
            told = {"total": row.total, "unreadable": row.unreadable, "papers": papers}
            self.stdout.write(json.dumps(told, indent=2, ensure_ascii=False))
            return
        about = "" if row.is_counted else "About "
        self.stdout.write(f"{about}{counted(row.total, 'paper')}.")
        for paper in row.papers:
            note = " (withdrawn)" if paper.is_withdrawn else ""
            self.stdout.write(f"{paper.id}  {paper.published[:10]}  {paper.title}{note}")
            self.stdout.write(f"    {paper.byline}. {' '.join(paper.categories)}")
