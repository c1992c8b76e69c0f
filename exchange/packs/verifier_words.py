"""What verify.js says, marked for translation here: the script is a part of verify.html."""

from django.utils.translation import gettext_noop

SENTENCES = (
    gettext_noop(
        "It is not laid out as SVQ writes packs: it was altered, cut off, or packed again by another program."
    ),
    gettext_noop("{name} is no list of files as SVQ writes it."),
    gettext_noop("It is larger than a pack can be ({n} MB)."),
    gettext_noop("It has more files than a pack can have ({n})."),
    gettext_noop("It has a file with a name that no file of a pack has."),
    gettext_noop("It has two files of the name {name}."),
    gettext_noop("It has no {name}: it is no evidence pack, or that was taken out."),
    gettext_noop("{name} was altered."),
    gettext_noop("Its {name} is larger than it can be."),
    gettext_noop("{name} is not that of an evidence pack."),
    gettext_noop("It was written by a newer SVQ, in a form that this one does not know."),
    gettext_noop("{name} is no signature as SVQ writes it."),
    gettext_noop("{name} is missing."),
    gettext_noop("{name} was added."),
    gettext_noop("{n} files, whole and unchanged since they were signed."),
    gettext_noop(
        "This browser cannot check signatures (Ed25519), so anybody may have written this pack. Use"
        " Chrome or Edge 137, Firefox 129, Safari 17 or newer, or the command manage.py "
        "verify_pack."
    ),
    gettext_noop(
        "The signature does not fit: {manifest} or {signature} was altered, or somebody signed anew."
    ),
    gettext_noop("Signed by the key of the SVQ that gave out this page, {key}."),
    gettext_noop(
        "Signed by another key than that of the SVQ that gave out this page. Its fingerprint is "
        "{key}. Anybody can sign with a key of their own, so ask the sender for the fingerprint of "
        "theirs, by another way than the pack came."
    ),
    gettext_noop("Right"),
    gettext_noop("Not checked"),
    gettext_noop("Other key"),
    gettext_noop("Wrong"),
    gettext_noop("The pack is not as it was signed. Do not rely on it."),
    gettext_noop("Not everything could be checked."),
    gettext_noop(
        "Signed by a key that this page does not know. Nothing was changed since it was signed with that key."
    ),
    gettext_noop(
        "The pack is whole and unchanged, and signed by the key of the SVQ that gave out this page."
    ),
    gettext_noop("Reading the pack …"),
    gettext_noop("The file could not be read."),
    gettext_noop(
        "This browser cannot verify packs here: save the page and open it as a file, use a newer "
        "browser, or the command manage.py verify_pack."
    ),
)
