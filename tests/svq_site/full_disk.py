"""Uploads to a disk that is full: a file system of a few kilobytes, mounted where only this process sees it.

unshare -Urm python -m tests.svq_site.full_disk FOLDER NUMBER_OF_DATASOURCE
prints a line of JSON: the answers, and what is left in the folder.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from svq_site.host.memory import load_apps

SIZE = 64 * 1024  # bytes


def main(folder: str, number: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder], check=True)
    load_apps()
    from django.conf import settings
    from django.core.files.storage import FileSystemStorage
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test import Client, override_settings

    from datasources.models import Datasource, Document

    Document._meta.get_field("file").storage = FileSystemStorage(location=folder)
    datasource = Datasource.objects.get(pk=number)
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    override_settings(STORAGES=settings.STORAGES | {"staticfiles": plain}).enable()
    client = Client(raise_request_exception=False, headers={"host": "localhost"})
    client.force_login(datasource.owner, backend="django.contrib.auth.backends.ModelBackend")
    answers = []
    for path, headers in (
        (f"/d/{number}/upload/", {}),
        (f"/d/{number}/upload/", {"HX-Request": "true"}),
        (f"/api/v1/data-sources/{number}/documents", {}),
    ):
        file = SimpleUploadedFile("large.txt", os.urandom(SIZE).hex().encode())
        answer = client.post(path, {"files": [file]}, headers=headers)
        answers.append([answer.status_code, answer["Content-Type"], answer.content.decode()])
    left = [str(path) for path in Path(folder).rglob("*") if path.is_file()]
    print(json.dumps({"answers": answers, "left": left}))


if __name__ == "__main__":
    main(*sys.argv[1:])
