"""What SVQ is made of: no package comes in a version that nobody has tried because of its next lock."""

import re
import tomllib

from django.conf import settings

BOUNDED = re.compile(r"[A-Za-z0-9._-]+(?:\[[^\]]*\])?>=[\d.]+,<[\d.]+(?:; .*)?")


def test_each_package_has_an_upper_bound() -> None:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    named = project["project"]["dependencies"] + groups["dev"] + groups["llama"] + groups["otel"]
    packages = [each for each in named if isinstance(each, str)]
    assert not [each for each in packages if not BOUNDED.fullmatch(each)]
