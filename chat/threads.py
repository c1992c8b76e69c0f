"""The threads in which turns use the database: few, so that connections stay few however many turns run."""

from concurrent.futures import ThreadPoolExecutor

EXECUTOR = ThreadPoolExecutor(max_workers=8, thread_name_prefix="turn")
