"""The map as shapes of an SVG: squares for documents, one line each for their ties, an outline for a group.

Pure; coordinates are whole units of the drawing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.document_map.similarity import Edge
from graph.models import DocumentNode
from graph.values.type_styles import TONES

LABELLED = 24  # with no more documents than that each has its title beside it
LETTER, LINE = 6.5, 15  # how wide a letter of a title is about, and how high its line
SQUARE = 9  # half of a document's square, and a little around it
BELOW, ABOVE = 26, -14  # from the middle of a square to the line of its title
STRETCH = 2.2  # how much larger one direction may be drawn than the other
GREY = "date"

Point = tuple[int, int]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """How large the drawing is, and how many characters of a title it has room for.

    `foot` is what the line below the drawing covers of it.
    """

    width: int
    height: int
    margin: int
    foot: int
    title: int


WIDE = Frame(width=1000, height=800, margin=70, foot=30, title=28)
NARROW = Frame(width=390, height=520, margin=44, foot=70, title=20)  # a phone, held upright


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A document's square, its middle at x and y. label: how far below it its title stands, its middle at
    label_x; 0 where there is no room for one.
    """

    id: int
    title: str
    short: str
    x: int
    y: int
    tone: str
    label: int = BELOW
    label_x: int
    selected: bool = False
    near: bool = False  # tied to the selected one
    dim: bool = False  # of a group that is not chosen, or without the words looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupOutline:
    """Its outline as SVG path data, and where its name stands."""

    name: str
    tone: str
    count: int
    outline: str
    x: int
    y: int
    on: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """`ties` and `ties_of_selected` are path data; `labelled` says whether there is room for every title."""

    marks: Sequence[Mark]
    groups: Sequence[GroupOutline]
    ties: str
    ties_of_selected: str
    labelled: bool


def tones(names: Sequence[str]) -> dict[str, str]:
    """A colour for each group, in turn; loners, which have no name, are grey."""
    colours = [tone for tone in TONES if tone != GREY]
    return {"": GREY} | {name: colours[i % len(colours)] for i, name in enumerate(names)}


def draw(
    nodes: Sequence[DocumentNode],
    edges: Sequence[Edge],
    groups: Sequence[tuple[str, int]],
    *,
    selected: int = 0,
    words: str = "",
    only: Sequence[str] = (),
    frame: Frame = WIDE,
) -> Drawing:
    """edges: indices into `nodes`. groups: (name, documents). only: groups that are shown; none means all."""
    at = _scaled(nodes, frame)
    tone = tones([name for name, _ in groups])
    chosen = next((i for i, node in enumerate(nodes) if node.document_id == selected), -1)
    ties = {other for a, b, _ in edges for one, other in ((a, b), (b, a)) if one == chosen}
    wanted = words.casefold().split()
    places: dict[str, list[Point]] = {name: [] for name, _ in groups}
    for node, place in zip(nodes, at, strict=True):
        places.setdefault(node.group, []).append(place)
    outlines = [
        _group(name, count, tone[name], places[name], on=not only or name in only) for name, count in groups
    ]
    titles = [_short(node.document.title, frame.title) for node in nodes]
    labels = _labels(at, titles, [_around(group.name, group.x, group.y) for group in outlines], frame)
    marks = [
        Mark(
            id=node.document_id,
            title=node.document.title,
            short=titles[i],
            x=x,
            y=y,
            tone=tone.get(node.group, GREY),
            label=labels[i][1],
            label_x=labels[i][0],
            selected=i == chosen,
            near=i in ties,
            dim=(bool(only) and node.group not in only)
            or not all(word in node.document.title.casefold() for word in wanted),
        )
        for i, (node, (x, y)) in enumerate(zip(nodes, at, strict=True))
    ]
    return Drawing(
        marks=marks,
        groups=outlines,
        ties=_lines([(at[a], at[b]) for a, b, _ in edges if chosen not in (a, b)]),
        ties_of_selected=_lines([(at[a], at[b]) for a, b, _ in edges if chosen in (a, b)]),
        labelled=len(nodes) <= LABELLED,
    )


def hull(points: Sequence[Point]) -> list[Point]:
    """The corners of the smallest convex outline (Andrew's monotone chain, 1979)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def half(along: Sequence[Point]) -> list[Point]:
        corners: list[Point] = []
        for x, y in along:
            while len(corners) > 1:
                (ax, ay), (bx, by) = corners[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                corners.pop()
            corners.append((x, y))
        return corners[:-1]

    return half(ordered) + half(ordered[::-1])


def _scaled(nodes: Sequence[DocumentNode], frame: Frame) -> list[Point]:
    """The places within the drawing: what is much wider than high, or the other way round, is stretched."""
    if not nodes:
        return []
    xs, ys = [node.x or 0.0 for node in nodes], [node.y or 0.0 for node in nodes]
    across, down = max(xs) - min(xs), max(ys) - min(ys)
    wide, high = frame.width - 2 * frame.margin, frame.height - 2 * frame.margin - frame.foot
    room = wide / max(across, 1.0), high / max(down, 1.0)
    least = min(*room, 160.0)
    scale = min(room[0], least * STRETCH), min(room[1], least * STRETCH)
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    centre = frame.width / 2, (frame.height - frame.foot) / 2
    return [
        (round(centre[0] + (x - middle[0]) * scale[0]), round(centre[1] + (y - middle[1]) * scale[1]))
        for x, y in zip(xs, ys, strict=True)
    ]


def _labels(
    at: Sequence[Point], titles: Sequence[str], names: Sequence[Box], frame: Frame
) -> list[tuple[int, int]]:
    """Where each title stands, as its middle across and its distance from its square: below that or above it,
    where no group's name, no square and no other title is; else at distance 0.
    """
    taken = [*names, *((x - SQUARE, y - SQUARE, x + SQUARE, y + SQUARE) for x, y in at)]
    labels = [(x, 0) for x, _ in at]
    for i in sorted(range(len(at)), key=lambda i: at[i]):
        x, y = at[i]
        half = min(round(len(titles[i]) * LETTER / 2), frame.width // 2)
        middle = min(max(x, half), frame.width - half)
        for label in (BELOW, ABOVE):
            box = _around(titles[i], middle, y + label)
            if not any(_overlap(box, other) for other in taken):
                taken.append(box)
                labels[i] = middle, label
                break
    return labels


def _around(words: str, middle: int, line: int) -> Box:
    """What they cover, when they are written centred on that line."""
    half = len(words) * LETTER / 2
    return middle - half, line - LINE + 3, middle + half, line + 3


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _group(name: str, count: int, tone: str, points: Sequence[Point], *, on: bool) -> GroupOutline:
    corners = hull(points)
    top = min(corners, key=lambda corner: corner[1])
    outline = "M" + "L".join(f"{x} {y}" for x, y in corners) + "Z"
    return GroupOutline(
        name=name, tone=tone, count=count, outline=outline, x=top[0], y=max(top[1] - 32, 14), on=on
    )


def _lines(pairs: Sequence[tuple[Point, Point]]) -> str:
    return "".join(f"M{ax} {ay}L{bx} {by}" for (ax, ay), (bx, by) in pairs)


def _short(title: str, most: int) -> str:
    return title if len(title) <= most else title[: most - 1].rstrip() + "…"
