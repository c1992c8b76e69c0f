"""The kinds of things that entries of the audit log are about, in the reader's language."""

from django.apps import apps
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

KINDS = (
    gettext_noop("document"),
    gettext_noop("answer"),
    gettext_noop("conversation"),
    gettext_noop("entity"),
    gettext_noop("relation"),
    gettext_noop("table"),
    gettext_noop("evidence"),
    "requirement",
    "assessment",
    gettext_noop("question set"),
    "framework",
    gettext_noop("member"),
    gettext_noop("group of people"),
    gettext_noop("webhook"),
    gettext_noop("connected source"),
    gettext_noop("outside server"),
    gettext_noop("outside tool"),
    gettext_noop("API token"),
    gettext_noop("sign-in provider"),
    gettext_noop("sign-in providers"),
    gettext_noop("memo"),
    gettext_noop("note"),
    gettext_noop("passage"),
    gettext_noop("invitation"),
    gettext_noop("check"),
    gettext_noop("evaluation"),
    "vendor",
    gettext_noop("decision"),
    gettext_noop("candidate"),
    gettext_noop("import of papers"),
    gettext_noop("datasource"),
    gettext_noop("settings"),
    gettext_noop("administration"),
    gettext_noop("audit log"),
    # rows
    gettext_noop("user"),
    gettext_noop("account invitation"),
    gettext_noop("directory"),
    gettext_noop("matter"),
    gettext_noop("join link"),
    gettext_noop("share link"),
)


# What pages call otherwise than the log, whose words stay.
SHOWN = {
    "framework": gettext_noop("list of points"),
    "requirement": gettext_noop("point"),
    "assessment": gettext_noop("results of a check"),
    "vendor": gettext_noop("selection of documents"),
}


def in_words(subject: str) -> str:
    """Of a model's label ("accounts.User") its name; of all else the words themselves."""
    try:
        return _(str(apps.get_model(subject)._meta.verbose_name))
    except (LookupError, ValueError):
        return _(SHOWN.get(subject, subject)) if subject else ""
