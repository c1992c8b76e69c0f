"""How long titles are written on pages."""

from datasources.templatetags.titles import both_ends


def test_a_long_title_keeps_the_end_that_tells_it_from_another() -> None:
    long = "Agreement about hosted services with Brightwell"
    assert both_ends(f"{long} v1", 32) != both_ends(f"{long} v2", 32)
    assert both_ends(f"{long} v2", 32).endswith("well v2")
    assert len(both_ends(f"{long} v2", 32)) <= 32
    assert both_ends("Short", 32) == "Short"
