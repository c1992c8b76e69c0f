"""Sources of Microsoft and Google, by the APIs of their clouds."""
