"""Labels within sentences."""

from django.utils import translation

from localization.casing import within_a_sentence
from svq_site.templatetags.sentences import in_dialog


def test_a_label_begins_small_where_nouns_do() -> None:
    assert within_a_sentence("Not covered") == "not covered"
    with translation.override("de"):
        assert within_a_sentence("Nicht abgedeckt") == "Nicht abgedeckt"


def test_a_link_into_a_dialog_keeps_where_it_came_from() -> None:
    opening = in_dialog("/models/", role="agent", next="/d/1/?a=b&c")
    address = "/models/?role=agent&amp;next=/d/1/%3Fa%3Db%26c"
    assert opening == f'class="link" href="{address}" hx-get="{address}" hx-target="#dialog"'
