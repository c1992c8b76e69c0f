"""What other programs call a document, kept in its metadata: they ask for it by that, too."""

EXTERNAL_ID = "externalId"  # a text: the program's own id of the document
SUBJECT_ID = "subjectId"  # what the program has it filed under
LONGEST_ID = 200  # characters
