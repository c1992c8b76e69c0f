"""Models, on servers or installed here, and other servers, behind small interfaces. Knows no document."""
