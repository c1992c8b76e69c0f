"""Conversations, their turns (a question and its answer) and the citations that prove the answers."""

from typing import TYPE_CHECKING, Self
from uuid import uuid4

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from datasources.models import Datasource, Document, DocumentStatus
from jobs.models import FencedRow

if TYPE_CHECKING:
    from accounts.models import User


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def visible_to(self, user: "User") -> Self:
        """A conversation is its author's alone, and only while they may still read the datasource."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(user=user, datasource__in=Datasource.objects.visible_to(user))


class Conversation(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="conversations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="conversations")
    title = models.CharField(max_length=200, blank=True)
    document_ids = models.JSONField(null=True, help_text="Search only these; null means all.")
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        ordering = ["-updated"]

    def __str__(self) -> str:
        return self.title or "New conversation"


class TurnStatus(models.TextChoices):
    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Working"
    ANSWERED = "answered", "Answered"
    PARTIAL = "partial", "Partly answered"
    QUOTES = "quotes", "Passages found"
    NOT_FOUND = "not_found", "Not found in your documents"
    FAILED = "failed", "Failed"
    STOPPED = "stopped", "Stopped"


UNFINISHED = (TurnStatus.QUEUED, TurnStatus.RUNNING)


class Mode(models.TextChoices):
    AGENT = "agent", "Agent"
    FAST = "fast", "Fast"


class Budget(models.TextChoices):
    """Whose budget for language models was used up, so that a turn was answered without one."""

    NONE = "", "None"
    DATASOURCE = "datasource", "The datasource's"
    DEPLOYMENT = "deployment", "The deployment's"

    @classmethod
    def of(cls, datasource: int | None) -> "Budget":
        """`datasource`: the number that the budget is kept under, 0 for the deployment; None without one."""
        if datasource is None:
            return cls.NONE
        return cls.DATASOURCE if datasource else cls.DEPLOYMENT


class TurnQuerySet(models.QuerySet["Turn"]):
    def visible_to(self, user: "User") -> Self:
        return self.filter(conversation__in=Conversation.objects.visible_to(user))


class Turn(FencedRow):
    """One question and what became of it. Durable: written before any work starts."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField(help_text="From 1.")
    after = models.PositiveIntegerField(
        null=True, help_text="Number of the turn that it follows, 0 for none; null: the one asked before it."
    )
    question = models.TextField()
    document_ids = models.JSONField(null=True, help_text="What was searched; null means all.")
    earlier = models.JSONField(
        default=list, help_text="[{role, content}] before the question, as the asking program sent it."
    )
    mode = models.CharField(max_length=5, choices=Mode, default=Mode.AGENT)
    unfinished = UNFINISHED
    status = models.CharField(max_length=10, choices=TurnStatus, default=TurnStatus.QUEUED)
    chosen_model = models.BigIntegerField(
        null=True, help_text="Number of the connection that was chosen for it; null: the datasource's."
    )
    model = models.CharField(max_length=200, blank=True)
    stopped_by = models.CharField(
        max_length=10, choices=Budget, default=Budget.NONE, blank=True,
        help_text="The budget that kept a language model from answering.",
    )  # fmt: skip
    quotes_only = models.BooleanField(
        default=False, help_text="Its model copies passages and writes nothing."
    )
    answer = models.TextField(blank=True, help_text="Markdown with ⟦n⟧ where citation n stands.")
    steps = models.JSONField(default=list, help_text="[{tool, arguments, hits, ms}]")
    trace = models.JSONField(default=list, help_text="The steps as a page lists them; see chat.trace.")
    nearest = models.JSONField(default=list, help_text="Nearest passages when nothing was found.")
    search = models.JSONField(
        default=dict, help_text="When nothing was found; see chat.answering.unanswered."
    )
    usage = models.JSONField(default=dict, help_text="{prompt_tokens, completion_tokens}")
    money = models.DecimalField(
        max_digits=16, decimal_places=8, null=True, help_text="What its models cost; null while unknown."
    )
    follow_ups = models.JSONField(
        null=True, help_text="[{question, document}] that were tried; null: not made yet."
    )
    standalone = models.TextField(blank=True, help_text="The question as it is understood by itself.")
    intent = models.CharField(max_length=20, blank=True, help_text="See chat.answering.question.intent.")
    notices = models.JSONField(default=list, help_text="[{code, text}] that a reader must know.")
    missing = models.CharField(max_length=300, blank=True, help_text="What a partial answer lacks.")
    verdict = models.JSONField(default=dict, help_text="See chat.citations.verdict.")
    fresh = models.BooleanField(default=False, help_text="Answered anew, whatever was answered before.")
    cache_key = models.CharField(
        max_length=64,
        blank=True,
        db_index=True,
        help_text="What the answer rests on; see chat.answering.recall.",
    )
    reused_from = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="+", help_text="Whose answer it repeats."
    )
    seconds = models.FloatField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)

    objects = TurnQuerySet.as_manager()

    class Meta:
        ordering = ["conversation", "number"]
        constraints = [models.UniqueConstraint(fields=["conversation", "number"], name="one_turn_per_number")]
        indexes = [  # what a deletion looks for
            GinIndex(fields=["nearest"], opclasses=["jsonb_path_ops"], name="turn_nearest"),
            GinIndex(fields=["follow_ups"], opclasses=["jsonb_path_ops"], name="turn_follow_ups"),
        ]

    def __str__(self) -> str:
        return self.question[:80]

    @property
    def channel(self) -> str:
        """The event channel of this turn."""
        return f"turn:{self.pk}"


class PersonalData(models.TextChoices):
    """What is done with addresses, numbers and keys of people in an answer."""

    OFF = "off", "Shown as it is"
    WARN = "warn", "Shown, with a warning"
    MASK = "mask", "Masked"


class AnswerSettingsManager(models.Manager["AnswerSettings"]):
    def of(self, datasource: Datasource) -> "AnswerSettings":
        """The settings of a datasource; those of a new one where nobody has changed them."""
        return self.filter(datasource=datasource).first() or AnswerSettings(datasource=datasource)


class AnswerSettings(models.Model):
    """How questions of one datasource are answered: which stages, within which limits."""

    datasource = models.OneToOneField(
        Datasource, models.CASCADE, primary_key=True, related_name="answer_settings"
    )
    rephrase = models.BooleanField("Rephrase follow-up questions", default=True)
    classify = models.BooleanField("Recognise the type of question", default=True)
    rerank = models.BooleanField("Rank all passages together", default=True)
    compress = models.BooleanField("Shorten long passages by whole sentences", default=True)
    correct = models.BooleanField("Search again when the passages are not enough", default=True)
    judge = models.BooleanField("Ask a judge model about each claim", default=True)
    strict = models.BooleanField("Strict: show no answer that has an unproven claim", default=False)
    remember = models.BooleanField("Give the same answer again while nothing has changed", default=True)
    personal_data = models.CharField(
        "Personal data and keys", max_length=4, choices=PersonalData, default=PersonalData.OFF
    )
    passages = models.PositiveSmallIntegerField("Passages", default=15)
    context_tokens = models.PositiveIntegerField("Tokens of passages", default=4000)
    seconds = models.PositiveIntegerField("Seconds", default=120)
    tokens = models.PositiveIntegerField("Tokens in all", default=0, help_text="0 is no limit.")

    objects = AnswerSettingsManager()

    class Meta:
        verbose_name_plural = "answer settings"

    def __str__(self) -> str:
        return f"How {self.datasource} answers"


class OnPage(models.TextChoices):
    """Whether the words of a quote stand on the page. It says nothing about the claim."""

    EXACT = "exact", "On the page, letter for letter"
    NORMALISED = "normalised", "On the page, but for spaces, hyphens or case"
    CORRECTED = "corrected", "On the page, corrected to its own words"
    ABSENT = "absent", "No source found"


class Support(models.TextChoices):
    """Whether a quote that stands on the page supports the claim before it."""

    SUPPORTED = "supported", "Supports the claim"
    CONTRADICTED = "contradicted", "Contradicts the claim"
    NEEDS_EYE = "needs_your_eye", "Needs your eye"
    NONE = "none", "Nothing to judge"


# Why a citation does not support its claim, once what the check has quoted is gone with the document.
DOCUMENT_DELETED = "The document was deleted, and with it what stood around these words."


class CitationQuerySet(models.QuerySet["Citation"]):
    def given_to(self, user: "User") -> Self:
        """Those in the answers that the user was given."""
        return self.filter(turn__conversation__user=user)


class Citation(models.Model):
    """A quote after a claim. It outlives re-reading: text and place are kept, the chunk is a hint."""

    context = ""  # the document's text around the quote, for a judge; not kept

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="citations")
    n = models.PositiveIntegerField(help_text="From 1, in order of the answer.")
    claim = models.TextField(blank=True, help_text="The words of the answer that it stands for.")
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="citations")
    document_title = models.CharField(max_length=300, blank=True)
    chunk_id_hint = models.BigIntegerField(null=True)
    written = models.TextField(help_text="The quote as the model wrote it.")
    quote = models.TextField(blank=True, help_text="The source's own words; empty when not located.")
    start = models.PositiveIntegerField(null=True, help_text="Offset in the document's text.")
    end = models.PositiveIntegerField(null=True)
    pages = models.JSONField(default=list, help_text="Numbers of the pages it overlaps.")
    boxes = models.JSONField(default=dict, help_text="{page: [[x0, y0, x1, y1] in 0..1000]}")
    on_page = models.CharField(max_length=10, choices=OnPage, help_text="About the quote.")
    support = models.CharField(
        max_length=14, choices=Support, default=Support.NONE, help_text="About the claim."
    )
    reason = models.TextField(blank=True, help_text="Why it does not support the claim.")
    checks = models.JSONField(default=list, blank=True, help_text="By code: [{name, passed, detail}]")
    judge = models.JSONField(
        default=dict, blank=True, help_text="A model's opinion: {supported, reason, model}"
    )
    masked = models.JSONField(default=list, blank=True, help_text="Kinds of data that are masked in it.")
    before = models.TextField(blank=True, help_text="The quote's sentence before the quote begins.")
    after = models.TextField(blank=True, help_text="The quote's sentence after the quote ends.")

    objects = CitationQuerySet.as_manager()

    class Meta:
        ordering = ["turn", "n"]
        constraints = [models.UniqueConstraint(fields=["turn", "n"], name="one_citation_per_number")]

    def __str__(self) -> str:
        return f"[{self.n}] {self.document_title}"

    @property
    def is_file_deleted(self) -> bool:
        """Whether the file that the quote was found in has been deleted since."""
        if self.on_page == OnPage.ABSENT:
            return False
        return self.document is None or self.document.status == DocumentStatus.DELETED

    def boxes_on(self, page: int) -> list[list[float]]:
        """Where the quote stands on one of its pages."""
        return self.boxes.get(str(page), [])


class FeedbackReason(models.TextChoices):
    """What is wrong with an answer, or right."""

    NONE = "", "No reason given"
    WRONG = "wrong", "It is wrong"
    INCOMPLETE = "incomplete", "Something is missing"
    SOURCE = "source", "A source does not support it"
    OFF_TOPIC = "off_topic", "It misses the question"
    UNCLEAR = "unclear", "It is hard to read"


class Feedback(models.Model):
    """What the asker thinks of an answer, kept for evaluation. It goes with its turn."""

    turn = models.OneToOneField(Turn, models.CASCADE, primary_key=True, related_name="feedback")
    helpful = models.BooleanField()
    reason = models.CharField(max_length=10, choices=FeedbackReason, default=FeedbackReason.NONE, blank=True)
    note = models.CharField(max_length=1000, blank=True)
    given = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "feedback"

    def __str__(self) -> str:
        return f"{'Helpful' if self.helpful else 'Not helpful'}: {self.turn}"


class Instructions(models.Model):
    """What a person asks of every answer in a datasource, in their own words."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    text = models.TextField()
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "instructions"
        constraints = [
            models.UniqueConstraint(fields=["datasource", "user"], name="one_set_of_instructions_each")
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Note(models.Model):
    """An answer or a quote that was kept in the notebook of its datasource, for everybody who reads there.

    It has the words and the quotes themselves, so it stays when the conversation or a document goes.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="notes")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    question = models.TextField(blank=True)
    text = models.TextField(
        blank=True, help_text="Markdown with ⟦n⟧ where source n stands; empty: a quote alone."
    )
    sources = models.JSONField(default=list, help_text="[{n, document, title, pages, quote, said}]")
    remark = models.CharField(
        max_length=1000, blank=True, help_text="An editor's words about it; any editor may change them."
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created", "-pk"]

    def __str__(self) -> str:
        return self.question[:80] or "A quote"
