"""An answer as a page shows it: its text with chips, the steps, the proof of each citation, the verdict."""
