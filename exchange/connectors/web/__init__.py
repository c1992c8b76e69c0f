"""The pages of a datasource's connected sources."""
