"""Images and PDFs made from documents' files, for the registry of derived data."""

from collections.abc import Mapping

from datasources.derived import DerivedData, Subject
from datasources.storage.files import delete_derived_files, derived_folder, unshared


class PageImages(DerivedData):
    """Page images, crops, renditions and cut pages: all of them files."""

    def sweep(self, subject: Subject) -> None:
        delete_derived_files(subject.contents)

    def count(self, subject: Subject) -> Mapping[str, int]:
        folders = map(derived_folder, unshared(subject.contents, besides=subject.documents))
        return {"page_images": sum(path.is_file() for folder in folders for path in folder.rglob("*"))}
