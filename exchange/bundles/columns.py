"""What stands in a row of a bundle, column by column: whether this SVQ could have written it, and how it is
stored. A bundle is a stranger's: each value is checked as the column's type, length and choices want it.
"""

import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Field
from django.utils.translation import gettext_noop
from pydantic import TypeAdapter

from chat.models import LIMITS
from citations.choices import OnPage, Support
from datasources.models import CHUNK_SIZES
from exchange.bundles.contents import CHUNK, DATASOURCE, DOCUMENT, READ, SPACE, TURN, Table
from exchange.bundles.manifest import MOST_DIMENSIONS
from exchange.bundles.shapes import SHAPES, YEARS, is_moment, problem
from formats.base.characters import visible_name
from formats.registry import has_format
from ingestion.adding.passages import MIME as PASSAGE

DEEPEST = 64  # levels of JSON
SMALL, WHOLE, LARGE = 2**15, 2**31, 2**63
WEB = ("http://", "https://")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
HEX = frozenset("0123456789abcdef")
PLACES_OF_CELL = 4  # start, end, first and last column
BYTES_OF_CHARACTER = {"boxes": 8, "certainty": 1}
LONG_PAGE = gettext_noop(
    "Nothing was stored. A page has more characters than are allowed here; have the limit raised"
    " (SVQ_MAX_PAGE_CHARS)."
)
LARGEST = 1e300  # of a number with a fraction

Check = Callable[[Any], Any]  # the value as it is stored; raises Wrong


class Wrong(Exception):
    """The value can't stand in the column; the text says why, for the end of a sentence. hint: what to do."""

    def __init__(self, why: str, *, hint: str = "") -> None:
        super().__init__(why)
        self.hint = hint


def check_of(table: Table, column: "Field[Any, Any]") -> Check:
    """What checks the values of a column that refers to nothing."""
    check = _of_type(column)
    if column.choices and not isinstance(column, ArrayField):
        check = _chosen(check, {value for value, _ in column.flatchoices} | ({""} if column.blank else set()))
    if column.name == "status" and hasattr(table.model, "unfinished"):
        check = _not(check, {str(status) for status in table.model.unfinished}, "is work under way")
    if special := SPECIAL.get((table.label, column.name)):
        check = _both(check, special)
    return _or_null(check) if column.null else check


def _of_type(column: "Field[Any, Any]") -> Check:
    match column:
        case models.UUIDField():
            return _uuid
        case models.BooleanField():
            return _boolean
        case models.FloatField():
            return _number
        case models.DecimalField():
            return _decimal
        case models.DateTimeField():
            return _time
        case models.BinaryField():
            return _bytes
        case models.JSONField():
            return _json_like(column.get_default())
        case ArrayField():
            return _array(_of_type(column.base_field))
        case models.PositiveSmallIntegerField():
            return _integer(0, SMALL)
        case models.PositiveBigIntegerField():
            return _integer(0, LARGE)
        case models.PositiveIntegerField():
            return _integer(0, WHOLE)
        case models.BigIntegerField():
            return _integer(-LARGE, LARGE)
        case models.IntegerField():
            return _integer(-WHOLE, WHOLE)
        case models.CharField() | models.TextField() | models.FileField():
            return _text(column.max_length)
        case _:
            raise TypeError(f"nothing says what may stand in a {type(column).__name__}")


def _integer(least: int, above: int) -> Check:
    def check(value: Any) -> int:
        if type(value) is not int or not least <= value < above:
            raise Wrong("is no number of that size")
        return value

    return check


def _text(longest: int | None) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str):
            raise Wrong("is no text")
        if "\0" in value:
            raise Wrong("has a character that no text has (NUL)")
        if longest is not None and len(value) > longest:
            raise Wrong(f"is longer than {longest:,} characters")
        return value

    return check


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Wrong("is neither true nor false")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST < value < LARGEST:
        raise Wrong("is no number")
    return value


def _decimal(value: Any) -> str:
    try:
        is_number = isinstance(value, str) and Decimal(value).is_finite() and len(value) < 60
    except InvalidOperation:
        is_number = False
    if not is_number:
        raise Wrong("is no amount")
    return str(value)


def _time(value: Any) -> str:
    try:
        read = datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise Wrong("is no time") from error
    if read.tzinfo is None:
        raise Wrong("is a time without a zone")
    try:
        year = read.astimezone(UTC).year
    except OverflowError:
        year = 0
    if year not in YEARS:  # what is later can be stored and never be read again
        raise Wrong("is a time that no datasource has")
    return str(value)


def _uuid(value: Any) -> str:
    try:
        if isinstance(value, str) and str(UUID(value)) == value:
            return value
    except ValueError:
        pass
    raise Wrong("is no UUID")


def _bytes(value: Any) -> bytes:
    if not isinstance(value, str) or not value.startswith("\\x"):
        raise Wrong("is no sequence of bytes")
    try:
        return bytes.fromhex(value[2:])
    except ValueError as error:
        raise Wrong("is no sequence of bytes") from error


def _json_like(usual: Any) -> Check:
    """A list or an object where the column begins as one: whatever reads it relies on that."""

    def check(value: Any) -> str:
        if isinstance(usual, list | dict) and type(value) is not type(usual):
            raise Wrong("is no list" if isinstance(usual, list) else "is no object")
        return _json(value)

    return check


def _json(value: Any) -> str:
    _check_inside(value)
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise Wrong("has a number that JSON does not know, such as NaN") from error


def _check_inside(value: Any) -> None:
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        inside: list[Any] = []
        for outer in level:
            if isinstance(outer, dict):
                inside += [*outer.keys(), *outer.values()]
            elif isinstance(outer, list):
                inside += outer
            elif isinstance(outer, str) and "\0" in outer:
                raise Wrong("has a character that no text has (NUL)")
        if not inside:
            return
        level = inside
    raise Wrong(f"is nested deeper than {DEEPEST} levels")


def _array(check: Check) -> Check:
    def each(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise Wrong("is no list")
        return [check(one) for one in value]

    return each


def _or_null(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


def _both(first: Check, second: Check) -> Check:
    return lambda value: second(first(value))


def _chosen(check: Check, offered: Iterable[Any]) -> Check:
    return _is(check, set(offered), "is not one that can be chosen")


def _is(check: Check, known: set[Any], words: str) -> Check:
    def among(value: Any) -> Any:
        if check(value) not in known:
            raise Wrong(words)
        return value

    return among


def _not(check: Check, refused: set[Any], words: str) -> Check:
    def besides(value: Any) -> Any:
        if check(value) in refused:
            raise Wrong(words)
        return value

    return besides


def _among(offered: Iterable[Any]) -> Check:
    return _chosen(lambda value: value, offered)


def _web_address(value: str) -> str:
    if value and not value.lower().startswith(WEB):
        raise Wrong("is no address of a web page")
    return value


def _mime(value: str) -> str:
    if value != PASSAGE and not has_format(value) and value not in UNREAD:
        raise Wrong("is no kind of file that this SVQ reads")
    return value


def _name(value: str) -> str:
    if visible_name(value) != value:
        raise Wrong("is no name on one line that people can see")
    return value


def _seen(value: str) -> str:
    if not visible_name(value):
        raise Wrong("is no name that people can see")
    return _line(value)


def _line(value: str) -> str:
    if CONTROL.search(value):
        raise Wrong("has more than one line, or characters that steer devices")
    return value


def _sha256(value: str) -> str:
    if value and (len(value) != 64 or not HEX.issuperset(value)):
        raise Wrong("is no SHA-256")
    return value


def _dimensions(value: int) -> int:
    if not 1 <= value <= MOST_DIMENSIONS:
        raise Wrong("is no number of dimensions")
    return value


def _from_one(value: int) -> int:
    if value < 1:  # 0 stands for what comes before the first
        raise Wrong("is below 1")
    return value


def _not_below_zero(value: str) -> str:
    if Decimal(value) < 0:
        raise Wrong("is below 0")
    return value


def _current(value: str) -> str:
    if value != "current":
        raise Wrong("is not the space that is searched")
    return value


def _page_text(value: str) -> str:
    if len(value) > settings.MAX_PAGE_CHARACTERS:
        raise Wrong("has more characters than a page may have here (SVQ_MAX_PAGE_CHARS)", hint=LONG_PAGE)
    return value


UNREAD = ("", "text/html")  # a web page that was never fetched


def _within(low: float, high: float) -> Check:
    def check(value: Any) -> Any:
        if not low <= value <= high:
            raise Wrong(f"is not between {low:,} and {high:,}")
        return value

    return check


FAR_ENOUGH = _within(0, 10**9)  # characters or pages: what is added to a place still fits into its column


def _shaped(shape: TypeAdapter[Any]) -> Check:
    def check(value: str) -> str:
        if wrong := problem(shape, value):
            raise Wrong(wrong)
        return value

    return check


def _moment(value: str) -> str:
    if value and not is_moment(value):
        raise Wrong("is no day and no time")
    return value


SPECIAL: Mapping[tuple[str, str], Check] = {
    (DATASOURCE, "chunk_size"): _within(*CHUNK_SIZES),
    (DATASOURCE, "chunk_overlap"): _within(0, CHUNK_SIZES[1]),
    **{("chat.AnswerSettings", name): _within(*bounds) for name, bounds in LIMITS.items()},
    **{where: _shaped(shape) for where, shape in SHAPES.items()},
    (DATASOURCE, "embedding_dimensions"): _dimensions,
    ("ingestion.Annotation", "made"): _moment,
    **dict.fromkeys([(CHUNK, name) for name in ("start", "end", "first_page", "last_page")], FAR_ENOUGH),
    ("compliance.Evidence", "on_page"): _among(OnPage.values),
    ("compliance.Evidence", "support"): _among(["", *Support.values]),
    ("datasources.WebPage", "address"): _web_address,
    ("datasources.WebPage", "final_address"): _web_address,
    (DATASOURCE, "name"): _name,
    (DOCUMENT, "title"): _seen,
    (DOCUMENT, "filename"): _line,
    (DOCUMENT, "mime"): _mime,
    (DOCUMENT, "sha256"): _sha256,
    ("ingestion.Page", "quarter_turns"): _within(0, 3),
    ("ingestion.Page", "text"): _page_text,
    ("evaluation.Result", "seconds"): _within(0, 1e9),
    ("evaluation.Result", "money"): _not_below_zero,
    (TURN, "number"): _from_one,
    (SPACE, "dimensions"): _dimensions,
    (SPACE, "status"): _current,
}


@dataclass(frozen=True, slots=True)
class WholeRow:
    """Checks of a row that one column does not tell."""

    label: str

    def check(self, row: Mapping[str, Any]) -> None:
        """Raises Wrong."""
        for start, end in (("start", "end"), ("said_start", "said_end"), ("first_page", "last_page")):
            if (row.get(start) is not None and row.get(end) is not None) and row[start] > row[end]:
                raise Wrong(f"ends before it begins ({start}, {end})")
        if self.label == "ingestion.Page":
            for name, size in BYTES_OF_CHARACTER.items():
                _check_unpacked(bytes.fromhex(row[name][2:]), size * len(row["text"]), name)
            if row.get("start", 0) + len(row["text"]) >= WHOLE:
                raise Wrong("begins where no page does (start)")
        if self.label == "ingestion.TableRow":
            places = row["cells"]
            if len(places) % PLACES_OF_CELL or any(not 0 <= each < WHOLE for each in places):
                raise Wrong("has cells without a place")
        if self.label == "ingestion.Doubt" and row.get("box") is not None and len(row["box"]) != 4:
            raise Wrong("has a box without four sides")
        if self.label == DOCUMENT and row["file"] and not row["sha256"]:
            raise Wrong("has a file without its SHA-256")
        if self.label == DOCUMENT and row["status"] in READ and row.get("page_count", 0) is None:
            raise Wrong("was read and has no number of pages")
        if self.label == TURN and row.get("after") is not None and row["after"] >= row["number"]:
            raise Wrong("follows a turn that is not before it (after, number)")


def _check_unpacked(packed: bytes, size: int, name: str) -> None:
    """Whether it unpacks to exactly so many bytes; no more are unpacked."""
    if not packed:
        return
    unpacking = zlib.decompressobj()
    try:
        given = unpacking.decompress(packed, size + 1)
    except zlib.error as error:
        raise Wrong(f"can't be unpacked ({name})") from error
    if len(given) != size or not unpacking.eof or unpacking.unused_data:
        raise Wrong(f"has another size than its text ({name})")
