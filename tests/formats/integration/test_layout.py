"""Where words stand on the pages that SVQ typesets: no update of Typst or of a font may move them unseen."""

import hashlib

import numpy as np

from formats.html.format import HTML
from formats.rendition.alignment import boxes_of_page
from tests.formats.reading import pages_of

SENTENCE = "The fee is due on the first of each month, unless both parties agree otherwise in writing. "
PAGE = (
    f"<html><body><h1>Fees</h1><p>{SENTENCE * 30}</p><ol><li>One</li><li>Two</li></ol>"
    "<table><tr><th>Item</th><th>Fee</th></tr><tr><td>Rent</td><td>1,200</td></tr></table>"
    f"<p>合同自签字之日起生效。العقد ساري.</p><pre>x = 1</pre><p>{SENTENCE * 60}</p></body></html>"
)
MOVED = "Words stand elsewhere than those that were cited: see docs/decisions/0008, raise LAYOUT, then this."


def test_words_stand_where_they_stood(tmp_path):
    pages = pages_of(HTML, PAGE.encode(), tmp_path)
    places = [np.round(boxes_of_page(page) / 256).astype("<u2").tobytes() for page in pages]
    assert hashlib.sha256(b"|".join(places)).hexdigest()[:16] == "6c7874b831d65e67", MOVED
