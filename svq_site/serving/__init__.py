"""The web server process: how many connections, from whom, and how long a client may take."""
