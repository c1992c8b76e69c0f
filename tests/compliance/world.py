"""Frameworks, vendors and scripted models that tests of compliance share."""

import json
import re
from io import BytesIO
from typing import Any

from accounts.models import User
from datasources.models import Datasource, Document
from desks.compliance.checks.subjects import create_subject
from desks.compliance.frameworks.importing import read_file
from desks.compliance.frameworks.services import attach, store
from desks.compliance.models import Framework, Subject
from tests.factories import make_document
from tests.openai_server import ScriptedReply, text_reply

BACKUPS = "Backups are kept for thirty days in a second region."
INVOICES = "The Customer shall pay each valid invoice within 30 days of receiving it."
TABLE = """ref,title,text,domain,assessable
1,Data,,Data,no
1.1,,The supplier says how long backups are kept.,Data,yes
1.2,,The supplier names the colour of the data centre.,Data,yes
2,Money,,Money,no
2.1,,The contract says when an invoice is paid.,Money,yes
"""


def framework(person: User, name: str = "Rules", table: str = TABLE) -> Framework:
    return store(person, read_file("rules.csv", BytesIO(table.encode())), name)


def documents(datasource: Datasource) -> tuple[Document, Document]:
    return make_document(datasource, "Questionnaire", BACKUPS), make_document(
        datasource, "Agreement", INVOICES
    )


def vendor(datasource: Datasource, person: User, name: str = "Tarnbeck") -> tuple[Framework, Subject]:
    """An attached framework, and a vendor with both documents."""
    made = framework(person)
    attach(made, datasource, person)
    return made, create_subject(datasource, name, [document.pk for document in documents(datasource)])


def assessor(request: dict[str, Any]) -> ScriptedReply:
    """A model that quotes the passage which shares a rare word with the requirement, else finds nothing.

    It says for “colour” that it is covered, with a quote that is nowhere.
    """
    told = json.loads(request["messages"][-1]["content"])
    words = set(re.findall(r"[a-z]{6,}", told["requirement"]["text"].lower())) - {"supplier", "contract"}
    part = {"text": told["requirement"]["text"][:60], "statement": "", "quotes": [], "reason": ""}
    if "colour" in words:
        part |= {
            "verdict": "covered",
            "statement": "The data centre is blue.",
            "quotes": [{"passage": "p1", "quote": "The data centre is painted blue all over."}],
        }
    else:
        found = [p for p in told["passages"] if words & set(re.findall(r"[a-z]{6,}", p["text"].lower()))]
        if found:
            quote = found[0]["text"]
            part |= {
                "verdict": "covered",
                "statement": quote,
                "quotes": [{"passage": found[0]["key"], "quote": quote}],
            }
        else:
            part |= {"verdict": "missing", "reason": "Nothing is said of it."}
    draft = "The Supplier shall [...]." if part["verdict"] == "missing" else ""
    return text_reply(json.dumps({"applies": True, "why_not": "", "parts": [part], "draft": draft}))
