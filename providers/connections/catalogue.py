"""The providers of models. All speak the OpenAI protocol, except OCR servers."""

from dataclasses import dataclass
from types import MappingProxyType

from django.utils.translation import gettext_noop


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """`address` ends where the protocol begins; empty where everybody has one of their own. `port`: where it
    listens when it runs on this machine. `keys`: the page that gives a key.
    """

    name: str
    initials: str
    kind: str
    address: str = ""
    example: str = ""
    needs_key: bool = True
    keys: str = ""
    port: int | None = None
    reads_scans: bool = False


API = gettext_noop("API, key needed")
OWN = gettext_noop("A server you run")
OTHER = "other"  # any server that speaks as OpenAI's does
THIS_COMPUTER = ("localhost", "127.0.0.1", "::1")

PROVIDERS = MappingProxyType(
    {
        "ollama": Provider(
            name="Ollama",
            initials="Ol",
            kind=OWN,
            needs_key=False,
            port=11434,
            example="http://localhost:11434/v1",
        ),
        "lmstudio": Provider(
            name="LM Studio",
            initials="LM",
            kind=OWN,
            needs_key=False,
            port=1234,
            example="http://localhost:1234/v1",
        ),
        "vllm": Provider(
            name="vLLM",
            initials="vL",
            kind=OWN,
            needs_key=False,
            port=8000,
            example="http://gpu-server:8000/v1",
        ),
        "llamacpp": Provider(
            name="llama.cpp",
            initials="lc",
            kind=OWN,
            needs_key=False,
            port=8080,
            example="http://localhost:8080/v1",
        ),
        "openai": Provider(
            name="OpenAI",
            initials="OA",
            kind=API,
            address="https://api.openai.com/v1",
            keys="https://platform.openai.com/api-keys",
        ),
        "anthropic": Provider(
            name="Anthropic",
            initials="An",
            kind=API,
            address="https://api.anthropic.com/v1",
            keys="https://platform.claude.com/settings/keys",
        ),
        "mistral": Provider(
            name="Mistral",
            initials="Mi",
            kind=API,
            address="https://api.mistral.ai/v1",
            keys="https://console.mistral.ai/api-keys",
        ),
        "gemini": Provider(
            name="Google Gemini",
            initials="Go",
            kind=API,
            address="https://generativelanguage.googleapis.com/v1beta/openai",
            keys="https://aistudio.google.com/apikey",
        ),
        "deepseek": Provider(
            name="DeepSeek",
            initials="DS",
            kind=API,
            address="https://api.deepseek.com/v1",
            keys="https://platform.deepseek.com/api_keys",
        ),
        "groq": Provider(
            name="Groq",
            initials="Gq",
            kind=API,
            address="https://api.groq.com/openai/v1",
            keys="https://console.groq.com/keys",
        ),
        "azure": Provider(
            name="Azure OpenAI",
            initials="Az",
            kind=gettext_noop("Your own region"),
            example="https://YOUR-RESOURCE.openai.azure.com/openai/v1",
        ),
        "openrouter": Provider(
            name="OpenRouter",
            initials="OR",
            kind=API,
            address="https://openrouter.ai/api/v1",
            keys="https://openrouter.ai/settings/keys",
        ),
        OTHER: Provider(
            name=gettext_noop("OpenAI compatible"),
            initials="{ }",
            kind=gettext_noop("Any address"),
            needs_key=False,
            example="https://models.example.org/v1",
        ),
        "ocr": Provider(
            name=gettext_noop("OCR server"),
            initials="OCR",
            kind=gettext_noop("SVQ's protocol for OCR"),
            needs_key=False,
            example="http://localhost:8080",
            reads_scans=True,
        ),
    }
)
LOCAL = tuple(key for key, provider in PROVIDERS.items() if provider.port)
