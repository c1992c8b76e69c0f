"""From a request for a chat completion to a question of a datasource."""

import re
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from accounts.models import User
from chat.services import MAX_QUESTION
from datasources.models import Datasource, Role
from formats.base.characters import clean_text

MAX_EARLIER = 12  # messages that are read before the question, the last ones
MAX_MESSAGE = 20_000  # characters of one; the rest is left out
MAX_MESSAGES = 1_000
NAME = "svq-{}"
_NUMBER = re.compile(r"(?:svq-)?(\d{1,18})")


class MessageSerializer(serializers.Serializer[Any]):
    role = serializers.CharField()
    content = serializers.JSONField(
        required=False, allow_null=True, help_text="A text, or parts of which those of type “text” are read."
    )


class StreamOptionsSerializer(serializers.Serializer[Any]):
    include_usage = serializers.BooleanField(required=False, default=False)


class CompletionRequestSerializer(serializers.Serializer[Any]):
    """Other fields of the protocol, such as temperature and tools, are read over."""

    model = serializers.CharField(
        help_text="Of GET models: “svq-12”; a datasource's number or name will do too."
    )
    messages = MessageSerializer(many=True)
    stream = serializers.BooleanField(required=False, default=False, allow_null=True)
    stream_options = StreamOptionsSerializer(required=False, allow_null=True)
    n = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=1)


def datasource_called(name: str, person: User) -> Datasource:
    """By number, else by name: the oldest of that name. Raises Http404 where the person sees none."""
    visible = Datasource.objects.visible_to(person, Role.ASKER)
    number = _NUMBER.fullmatch(name)
    found = visible.filter(pk=int(number[1])).first() if number else None
    found = found or visible.filter(name=name).order_by("pk").first()
    if found is None:
        raise Http404
    return found


def question_of(messages: list[dict[str, Any]]) -> tuple[str, list[dict[str, str]]]:
    """The last message, and what was said before it. Messages of the system are not passed on: what an
    answer may say is for the datasource to decide. Raises ValidationError.
    """
    if len(messages) > MAX_MESSAGES:
        raise ValidationError({"messages": [f"There are more than {MAX_MESSAGES:,}. Send the last ones."]})
    said = [(each["role"], text_of(each.get("content"))) for each in messages]
    spoken = [(role, text) for role, text in said if role in ("user", "assistant") and text.strip()]
    if not spoken or spoken[-1][0] != "user":
        raise ValidationError({"messages": ["The last message must be a question of the role “user”."]})
    question = spoken[-1][1]
    if len(question) > MAX_QUESTION:
        raise ValidationError(
            {"messages": [f"The question has {len(question):,} characters; the limit is {MAX_QUESTION:,}."]}
        )
    earlier = [{"role": role, "content": text[:MAX_MESSAGE]} for role, text in spoken[:-1][-MAX_EARLIER:]]
    return question, earlier


def text_of(content: Any) -> str:
    """Of a text, or of its parts."""
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
        content = "\n".join(str(part.get("text", "")) for part in parts)
    return clean_text(content, kept="\t") if isinstance(content, str) else ""
