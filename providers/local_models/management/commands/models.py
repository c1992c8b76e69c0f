"""manage.py models: lists, installs, chooses and removes models that run on this server."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from providers.local_models import choice, services, store
from providers.local_models.errors import NotInstalled
from providers.local_models.install import HUB, Plan, Wish, install, plan
from providers.local_models.known import KNOWN
from providers.local_models.roles import LocalRole
from providers.local_models.store import Installed

BUILT_IN = "built-in"  # in place of a model's name: what comes with SVQ
ROLES = [str(role) for role in LocalRole]


class Command(BaseCommand):
    help = "Models that run on this server: for answers, embeddings, reranking, entailment."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        listing = acts.add_parser("list", help="what is installed, what is used, and what SVQ knows")
        listing.add_argument("--json", action="store_true")
        installing = acts.add_parser("install", help="fetch a model, try it, and keep it in the data folder")
        _name(installing)
        installing.add_argument(
            "--from",
            dest="origin",
            default=HUB,
            metavar="hub|URL|FOLDER",
            help="the hub (as a rule), the address of a server of files, or a folder",
        )
        installing.add_argument("--revision", default="", help="a branch, tag or commit of the hub")
        installing.add_argument("--file", default="", help="the ONNX or GGUF file, such as onnx/model.onnx")
        installing.add_argument("--use", action="store_true", help="use it from now on")
        installing.add_argument("--yes", action="store_true", help="do not ask before it is fetched")
        using = acts.add_parser("use", help="choose an installed model for its job")
        _name(using, f"of an installed model, or “{BUILT_IN}” for what comes with SVQ")
        using.add_argument(
            "--for",
            dest="job",
            default=None,
            choices=LocalRole.CHAT.plays,
            help="what a language model does. Default: agent, which answers",
        )
        removing = acts.add_parser("remove", help="delete an installed model that is not in use")
        _name(removing)

    def handle(self, *, act: str, **options: Any) -> None:
        try:
            if act == "list":
                return self.list(as_json=options["json"])
            role, name = LocalRole(options["role"]), options["name"]
            match act:
                case "install":
                    self.install(role, name, options)
                case "use":
                    self.use(role, name, options["job"])
                case "remove":
                    model = _installed(role, name)
                    services.remove(model)
                    self.stdout.write(f"{model.identity} is removed.")
        except NotInstalled as error:
            raise CommandError(error.message) from error

    def list(self, *, as_json: bool) -> None:
        used = {role: _used(role) for role in LocalRole}
        models = store.installed()
        if as_json:
            told = [{**model.as_json(), "used": used[model.role] == model.identity} for model in models]
            self.stdout.write(
                json.dumps({"installed": told, "known": _known()}, ensure_ascii=False, indent=1)
            )
            return
        self.stdout.write("Installed:" if models else "No model is installed.")
        for model in models:
            state = ", in use" if used[model.role] == model.identity else ""
            if state and model.role == LocalRole.CHAT:
                state += (
                    f" for {', '.join(filter(None, choice.roles_of(model.identity))) or 'people to choose'}"
                )
            self.stdout.write(f"  {model.role:<11} {model.identity}  {_size(model.size)}{state}")
        self.stdout.write("Known, to be installed by name:")
        for each in KNOWN.values():
            size = f"{each.parameters:,} million parameters"
            if each.size:
                size = f"{each.size / 1e9:.2f} GB, about {each.memory / 1e9:.1f} GB of memory"
            self.stdout.write(f"  {each.role:<11} {each.name}  {size}, {each.licence}. {each.about}")

    def install(self, role: LocalRole, name: str, options: dict[str, Any]) -> None:
        planned = plan(
            Wish(
                role=role,
                name=name,
                origin=options["origin"],
                revision=options["revision"],
                graph=options["file"],
            )
        )
        self.stdout.write(_plan_in_words(planned))
        asks = sys.stdin.isatty() and not options["yes"]
        if asks and input("Install it? [y/N] ").strip().lower() not in ("y", "yes"):
            raise CommandError("Nothing is installed.")
        model = install(planned, self.progress(planned.size))
        self.stdout.write(f"{model.identity} is installed.")
        for note in model.configuration.notes:
            self.stdout.write(note)
        if options["use"]:
            self.use(role, model.identity)
        else:
            self.stdout.write(f"Use it with: manage.py models use {role} {model.identity}")

    def use(self, role: LocalRole, name: str, job: str | None = None) -> None:
        if name == BUILT_IN:
            choice.stop_using(role)
            self.stdout.write(f"No installed model is used for {role} any more.")
            return
        model = _installed(role, name)
        choice.use(model, job if role == LocalRole.CHAT else None)
        self.stdout.write(f"{model.identity} is in use. {choice.THEN[role]}")
        if role == LocalRole.CHAT:
            self.stdout.write(choice.needs(model))
            self.stdout.write("It runs as a part of manage.py up, or by manage.py language_model.")

    def progress(self, size: int) -> Any:
        """What hears of the progress: a line on a terminal, else a line for each tenth."""
        shown = [""]

        def show(step: str, done: int) -> None:
            tenths = 10 * done // size if size else 0
            line = f"{step} ... {_size(done)} of {_size(size)}" if step == "Fetching" else f"{step} ..."
            if self.stdout.isatty():
                self.stdout.write(f"\r{line}", ending="\n" if step != "Fetching" or done >= size else "")
            elif shown[0] != f"{step}{tenths}":
                shown[0] = f"{step}{tenths}"
                self.stdout.write(line)

        return show


def _name(parser: ArgumentParser, of: str = "such as bge-small-en-v1.5 or BAAI/bge-small-en-v1.5") -> None:
    parser.add_argument("role", choices=ROLES)
    parser.add_argument("name", help=of)


def _installed(role: LocalRole, name: str) -> Installed:
    """Raises CommandError."""
    models = store.matching(role, name)
    if len(models) == 1:
        return models[0]
    if models:
        which = " or ".join(model.identity for model in models)
        raise CommandError(f"There are several: name {which}.")
    raise CommandError(f"No model “{name}” is installed for {role}. See: manage.py models list")


def _plan_in_words(planned: Plan) -> str:
    lines = [f"{planned.wish.role}: {planned.place}"]
    if planned.revision:
        lines.append(f"Commit {planned.revision}")
    lines.append(f"Licence: {planned.licence or 'unknown'}")
    lines += [f"  {file.path}  {_size(file.size)}" for file in planned.files]
    lines.append(f"{_size(planned.size)} in all; {_size(planned.free)} of the disk are free.")
    if planned.memory:
        lines.append(planned.memory)
    is_checked = "Each file is checked by its hash."
    lines.append(is_checked if planned.has_hashes else "The source does not give a hash for every file.")
    return "\n".join(lines)


def _known() -> list[dict[str, Any]]:
    return [
        {
            "role": str(each.role),
            "name": each.repository,
            "about": str(each.about),
            "licence": each.licence,
            "parameters": each.parameters * 1_000_000,
            "size": each.size or None,
        }
        for each in KNOWN.values()
    ]


def _used(role: LocalRole) -> str:
    """Nothing before the first start, when there is no table yet."""
    try:
        return choice.used(role)
    except DatabaseError:
        return ""


def _size(count: int | None) -> str:
    """Bytes as “57 kB” or “90.4 MB”; None where the source does not tell."""
    if count is None:
        return "size unknown"
    if count < 1_000_000:
        return f"{-(-count // 1000):,} kB"
    return f"{count / 1e6:,.1f} MB"
