"""What an owner says of a folder, with the words of its kind."""

from dataclasses import dataclass
from typing import ClassVar

from django import forms

from connectors import services
from connectors.models import Every, Kind
from settings_pages.refusals import OFFERED, always_says


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the fields are called; a kind without a name for one does not ask for it."""

    place: str
    hint: str
    user_name: str = ""
    secret: str = ""
    region: str = ""


WORDS = {
    Kind.WEBDAV: Words(
        place="Address of the folder",
        hint="In Nextcloud, under “Files settings”: https://cloud.example/remote.php/dav/files/NAME/, and "
        "then the folder.",
        user_name="User name",
        secret="Password (an app password, if there is one)",
    ),
    Kind.S3: Words(
        place="Address of the bucket",
        hint="https://server/bucket, or https://server/bucket/folder for a part of it.",
        user_name="Access key ID",
        secret="Secret access key",
        region="Region",
    ),
    Kind.MAIL: Words(
        place="Address of the mail folder",
        hint="imaps://mail.example/INBOX, or another folder’s name in place of INBOX; with /* at the end the "
        "folders in it, too. Each mail becomes a document, with its attachments; none is marked as read "
        "there.",
        user_name="User name",
        secret="Password (an app password, if there is one)",
    ),
    Kind.SITE: Words(
        place="Address of the site",
        hint="https://www.example.com, https://www.example.com/help for a part of it, or the address of a "
        "sitemap. Without a sitemap the pages are followed that its start page links to.",
    ),
    Kind.GIT: Words(
        place="Address of the repository",
        hint="https://git.example/firm/matters.git, then #branch or #branch:folder for another branch than "
        "the usual one, or a part of it.",
        user_name="User name",
        secret="Access token, best one that may only read; none for a public repository",
    ),
    Kind.FOLDER: Words(
        place="Folder",
        hint="A path on this server, in one of the folders that its operator has released.",
    ),
}


class HowForm(forms.Form):
    """How a folder is looked at. What a kind does not ask for is left out."""

    user_name = forms.CharField(
        required=False,
        max_length=services.LONGEST_NAME,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
    )
    secret = forms.CharField(
        required=False,
        strip=False,
        max_length=services.LONGEST_SECRET,
        widget=forms.PasswordInput(attrs={"class": "input", "autocomplete": "new-password"}),
    )
    region = forms.CharField(
        required=False,
        max_length=services.LONGEST_REGION,
        widget=forms.TextInput(attrs={"class": "input", "placeholder": "us-east-1", "autocomplete": "off"}),
    )
    every = forms.TypedChoiceField(
        label="Look every",
        choices=Every.choices,
        coerce=int,
        initial=Every.HOUR,
        error_messages=always_says(OFFERED),
        widget=forms.Select(attrs={"class": "select"}),
    )
    needed: ClassVar = frozenset({"user_name"})  # by mail servers; an empty password keeps the one there is
    deletes = forms.BooleanField(
        label="What is deleted there is deleted here, too",
        required=False,
        initial=True,
        widget=forms.CheckboxInput(attrs={"class": "check"}),
    )

    def name_fields(self, kind: str) -> None:
        self.words = WORDS[Kind(kind)]
        for name in ("user_name", "secret", "region"):
            if label := getattr(self.words, name):
                self.fields[name].label = label
                self.fields[name].required = kind == Kind.MAIL and name in self.needed
            else:
                self.fields.pop(name, None)


class ChangeForm(HowForm):
    """Of a folder from which no file has come yet: its address, too."""

    place = forms.CharField(
        max_length=services.LONGEST_PLACE,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off", "spellcheck": "false"}),
    )
    field_order = ("place", "user_name", "secret", "region", "every", "deletes")

    def name_fields(self, kind: str) -> None:
        super().name_fields(kind)
        self.fields["place"].label = self.words.place


class ConnectForm(ChangeForm):
    needed: ClassVar = frozenset({"user_name", "secret"})
