"""Why something failed is kept, and told to each reader in their language: so the sentence is marked for
translation, and one with values in it knows them (`said`, `worded`). An f-string is English for ever.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from tools.messages import ROOT, is_of_no_page, marked

# What is answered at once: to programs and on the terminal in English, by the pages of sign-in in the asker's
# language. In formats/markup, `say` is another function than the one that keeps a sentence.
AT_ONCE = (
    "accounts/identity/",
    "chat/api/",
    "exchange/bundles/adding.py",
    "exchange/compatible/",
    "exchange/mcp/",
    "formats/markup/",
    "retrieval/api/",
    "svq_site/host/",
)
DETAIL = {"Wrong"}  # the end of a `detail`, which administrators read in English
KEPT = {"Failure", "Notice"}  # beside the errors that explain themselves
OF_PEOPLE = {"message", "hint", "text"}  # arguments that have a name


@cache
def modules() -> dict[str, ast.Module]:
    return {
        str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(ROOT.rglob("*.py"))
        if not is_of_no_page(path) and "management" not in path.parts and "clients" not in path.parts
    }


@cache
def explaining() -> set[str]:
    """Names of exceptions that have a hint for people, and of those made from them."""
    classes = {
        each.name: each
        for module in modules().values()
        for each in ast.walk(module)
        if isinstance(each, ast.ClassDef)
    }
    found = {name for name, each in classes.items() if _is_error(each) and _has_hint(each)}
    while more := {
        name for name, each in classes.items() if name not in found and found & set(map(_name, each.bases))
    }:
        found |= more
    return found


def _is_error(each: ast.ClassDef) -> bool:
    return any(_name(base).endswith(("Exception", "Error")) for base in each.bases)


def _has_hint(each: ast.ClassDef) -> bool:
    return any(
        (isinstance(node, ast.Name) and node.id == "hint" and isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.Attribute) and node.attr == "hint" and isinstance(node.ctx, ast.Store))
        for node in ast.walk(each)
    )


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


@cache
def keepers() -> set[str]:
    """Functions that keep what they are given with its words."""
    return {
        each.name
        for module in modules().values()
        for each in ast.walk(module)
        if isinstance(each, ast.FunctionDef) and _keeps(each)
    }


def _keeps(function: ast.FunctionDef) -> bool:
    given = {argument.arg for argument in function.args.args}
    return any(
        isinstance(call, ast.Call)
        and _name(call.func) == "words_of"
        and given & {_name(each) for each in call.args}
        for call in ast.walk(function)
    )


def constants(module: ast.Module) -> dict[str, str]:
    """The texts that have a name of capitals in this module, its own and those that it imports."""
    found: dict[str, str] = {}
    for each in module.body:
        if isinstance(each, ast.ImportFrom) and (
            file := modules().get(f"{each.module}".replace(".", "/") + ".py")
        ):
            of_file = own_constants(file)
            found |= {name.asname or name.name: of_file.get(name.name, "") for name in each.names}
    return found | own_constants(module)


def own_constants(module: ast.Module) -> dict[str, str]:
    return {
        name: str(each.value.value)
        for each in module.body
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant)
        for name in map(_name, each.targets)
        if name.isupper()
    }


def sentences(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments that people read: those by name, and those by place that look like one."""
    yield from (each.value for each in call.keywords if each.arg in OF_PEOPLE)
    yield from (each for each in call.args if not isinstance(each, ast.Constant) or _has_words(each))


def _has_words(each: ast.Constant) -> bool:
    return isinstance(each.value, str) and " " in each.value


def is_for_ever_english(sentence: ast.expr, known: set[str], named: Mapping[str, str]) -> bool:
    """An f-string, a text that was put together, a refusal that has lost its words, or a text that no
    catalogue has.
    """
    match sentence:
        case ast.JoinedStr(values=parts):
            return any(
                " " in str(part.value) for part in parts if isinstance(part, ast.Constant)
            )  # else a code
        case ast.Constant(value=str(text)):
            return " " in text and text not in known
        case ast.Name(id=name) if named.get(name):
            return " " in named[name] and named[name] not in known
        case ast.Subscript(value=ast.Attribute(attr="messages")):
            return True
        case ast.Subscript(value=shortened, slice=ast.Slice()):
            return is_for_ever_english(shortened, known, named)
        case ast.Call(func=ast.Name(id="str"), args=[inner]):
            return is_for_ever_english(inner, known, named)
        case ast.BinOp(op=ast.Mod()):
            return True
        case ast.Call(func=ast.Attribute(attr="format")):
            return True
        case ast.BinOp(left=left, right=right):
            return is_for_ever_english(left, known, named) or is_for_ever_english(right, known, named)
    return False


def found_in(module: ast.Module, names: set[str], known: set[str]) -> Iterator[str]:
    named = constants(module)
    for call in ast.walk(module):
        if isinstance(call, ast.Call) and _name(call.func) in names:
            for each in sentences(call):
                if is_for_ever_english(each, known, named):
                    yield ast.unparse(each)


@cache
def known_messages() -> set[str]:
    return {str(message.id if isinstance(message.id, str) else message.id[0]) for message in marked("django")}


def english_of(module: ast.Module) -> list[str]:
    return list(found_in(module, (explaining() - DETAIL) | KEPT | keepers(), known_messages()))


def test_why_something_failed_can_be_told_in_every_language() -> None:
    english = {
        path: found
        for path, module in modules().items()
        if not path.startswith(AT_ONCE) and (found := english_of(module))
    }
    assert english == {}


def test_the_errors_that_explain_themselves_are_known() -> None:
    expected = {"ArxivError", "BundleError", "ExtractionError", "FetchError", "ProviderError", "SourceError"}
    assert expected <= explaining()


def test_what_keeps_a_sentence_is_known() -> None:
    assert {"_kept", "_tell", "refused_with", "say"} <= keepers()


@pytest.mark.parametrize(
    "argument",
    [
        'f"{n} files are too many."',
        '"Nobody marked this."',
        '"{n} files".format(n=n)',
        '"%s files" % n',
        "refusal.messages[0]",
        "str(refusal.messages[0])[:500]",
        "UNMARKED",
    ],
)
def test_what_stays_english_is_found(argument: str) -> None:
    module = ast.parse(f'UNMARKED = "Nobody marked this either."\nraise Bad({argument})')
    assert list(found_in(module, {"Bad"}, {"Known already."}))


@pytest.mark.parametrize(
    "argument", ['"Known already."', 'said("{n} files", n=3)', '"code"', "sentence_of(refusal)", "MARKED"]
)
def test_what_can_be_told_in_every_language_is_left_alone(argument: str) -> None:
    module = ast.parse(f'MARKED = "Known already."\nraise Bad({argument})')
    assert not list(found_in(module, {"Bad"}, {"Known already."}))
