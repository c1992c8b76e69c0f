"""Files that came inside other files."""

from django.db import models

from datasources.models import Document


class Attachment(models.Model):
    """A file in a mail: the document made of it, or why there is none. Two mails may have the same one."""

    mail = models.ForeignKey(Document, models.CASCADE, related_name="attachments")
    position = models.PositiveIntegerField(help_text="From 1, in the order of the mail.")
    filename = models.CharField(max_length=300)
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="attached_to")
    refusal = models.CharField(max_length=500, blank=True, help_text="Why no document was made of it.")
    refusal_words = models.JSONField(
        null=True, editable=False, help_text="What it is made of, as localization.stored has it."
    )

    class Meta:
        ordering = ["mail", "position"]
        constraints = [
            models.UniqueConstraint(fields=["mail", "position"], name="one_attachment_per_position")
        ]

    def __str__(self) -> str:
        return self.filename
