"""The map as shapes of an SVG: squares for documents, one line each for their ties, an outline for a group.

Pure; coordinates are whole units of the drawing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.document_map.similarity import Edge
from graph.models import DocumentNode
from graph.values.type_styles import TONES

WIDTH, HEIGHT, MARGIN = 1000, 800, 70
LABELLED = 24  # with no more documents than that each has its title beside it
TITLE = 28  # characters
LETTER, LINE = 6.5, 15  # how wide a letter of a title is about, and how high its line
BELOW, ABOVE = 26, -14  # from the middle of a square to the line of its title
GREY = "date"

Point = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A document's square, its middle at x and y. label: how far below it its title stands; 0 where there is
    no room for one.
    """

    id: int
    title: str
    short: str
    x: int
    y: int
    tone: str
    label: int = BELOW
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
) -> Drawing:
    """edges: indices into `nodes`. groups: (name, documents). only: groups that are shown; none means all."""
    at = _scaled(nodes)
    tone = tones([name for name, _ in groups])
    chosen = next((i for i, node in enumerate(nodes) if node.document_id == selected), -1)
    ties = {other for a, b, _ in edges for one, other in ((a, b), (b, a)) if one == chosen}
    wanted = words.casefold().split()
    labels = _labels(at, [_short(node.document.title) for node in nodes])
    marks = [
        Mark(
            id=node.document_id,
            title=node.document.title,
            short=_short(node.document.title),
            x=x,
            y=y,
            tone=tone.get(node.group, GREY),
            label=labels[i],
            selected=i == chosen,
            near=i in ties,
            dim=(bool(only) and node.group not in only)
            or not all(word in node.document.title.casefold() for word in wanted),
        )
        for i, (node, (x, y)) in enumerate(zip(nodes, at, strict=True))
    ]
    return Drawing(
        marks=marks,
        groups=[
            _group(
                name, count, tone[name], [p for p, n in zip(at, nodes, strict=True) if n.group == name], only
            )
            for name, count in groups
        ],
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


def _scaled(nodes: Sequence[DocumentNode]) -> list[Point]:
    """The places within the drawing, with the same scale across and down."""
    if not nodes:
        return []
    xs, ys = [node.x or 0.0 for node in nodes], [node.y or 0.0 for node in nodes]
    across, down = max(xs) - min(xs), max(ys) - min(ys)
    room = (WIDTH - 2 * MARGIN) / max(across, 1.0), (HEIGHT - 2 * MARGIN) / max(down, 1.0)
    scale = min(*room, 160.0)
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return [
        (round(WIDTH / 2 + (x - middle[0]) * scale), round(HEIGHT / 2 + (y - middle[1]) * scale))
        for x, y in zip(xs, ys, strict=True)
    ]


def _labels(at: Sequence[Point], titles: Sequence[str]) -> list[int]:
    """Where each title stands: below its square, or above it where another is below already, or nowhere."""
    taken: list[tuple[float, float, float]] = []  # left, right, line
    labels = [0] * len(at)
    for i in sorted(range(len(at)), key=lambda i: at[i]):
        x, y = at[i]
        half = len(titles[i]) * LETTER / 2
        for label in (BELOW, ABOVE):
            place = x - half, x + half, y + label
            if not any(
                place[0] < right and left < place[1] and abs(line - place[2]) < LINE
                for left, right, line in taken
            ):
                taken.append(place)
                labels[i] = label
                break
    return labels


def _group(name: str, count: int, tone: str, points: Sequence[Point], only: Sequence[str]) -> GroupOutline:
    corners = hull(points)
    top = min(corners, key=lambda corner: corner[1])
    outline = "M" + "L".join(f"{x} {y}" for x, y in corners) + "Z"
    on = not only or name in only
    return GroupOutline(
        name=name, tone=tone, count=count, outline=outline, x=top[0], y=max(top[1] - 32, 14), on=on
    )


def _lines(pairs: Sequence[tuple[Point, Point]]) -> str:
    return "".join(f"M{ax} {ay}L{bx} {by}" for (ax, ay), (bx, by) in pairs)


def _short(title: str) -> str:
    return title if len(title) <= TITLE else title[: TITLE - 1].rstrip() + "…"
