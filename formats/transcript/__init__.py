"""Transcripts and subtitles (WebVTT, SubRip): what was said, and when."""
