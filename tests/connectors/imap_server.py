"""Mail servers on loopback: one of a package, and one that says what a test has it say."""

import imaplib
import socket
import socketserver
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread

from tests.processes import end, free_port, wait_until

NAME, PASSWORD = "alice", "open sesame"


class ImapServer:
    """Has an inbox for NAME with PASSWORD, in its memory."""

    def __enter__(self) -> "ImapServer":
        self.port = free_port()
        self.address = f"imap://127.0.0.1:{self.port}/INBOX"
        listens = ["--host", "127.0.0.1", "--port", str(self.port), "--no-tls"]
        command = [str(Path(sys.executable).with_name("pymap")), *listens]
        command += ["dict", "--demo-data", "--demo-user", NAME, "--demo-password", PASSWORD]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self._listens, "the mail server's start")
        return self

    def __exit__(self, *error: object) -> None:
        end(self._process)

    def signed_in(self) -> imaplib.IMAP4:
        mail = imaplib.IMAP4("127.0.0.1", self.port)
        mail.login(NAME, PASSWORD)
        return mail

    def empty(self) -> None:
        with self.signed_in() as mail:
            _, (count,) = mail.select("INBOX")
            if count != b"0":
                mail.store("1:*", "+FLAGS", r"\Deleted")
                mail.expunge()

    def add(self, message: bytes, folder: str = "INBOX") -> None:
        with self.signed_in() as mail:
            state, told = mail.append(folder, "", "", message)
            assert state == "OK", told

    def _listens(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False


class SayingServer:
    """Takes any name and password, opens any folder not called Closed, and answers each other
    command with `told`, of which TAG is the command's tag. `asked`: the commands.
    """

    def __init__(self, *told: bytes) -> None:
        answers = list(told)
        self.asked = asked = list[str]()

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.wfile.write(b"* OK [CAPABILITY IMAP4REV1] ready\r\n")
                tag = b""
                for line in self.rfile:
                    asked.append(line.decode().strip())
                    parts = line.split()
                    is_command = len(parts) > 1  # and no answer to a sign of the server's
                    tag, command = (parts[0], parts[1]) if is_command else (tag, b"")
                    if command == b"CAPABILITY":
                        said = b"* CAPABILITY IMAP4REV1\r\nTAG OK done\r\n"
                    elif command == b"LOGIN":
                        said = b"TAG OK done\r\n"
                    elif command == b"EXAMINE" and b"Closed" in line:
                        said = b"TAG NO it is closed\r\n"
                    elif command == b"EXAMINE":
                        said = b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] it\r\nTAG OK [READ-ONLY] done\r\n"
                    else:
                        said = answers.pop(0) if answers else b"TAG NO nothing more\r\n"
                    self.wfile.write(said.replace(b"TAG", tag))

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    def __enter__(self) -> "SayingServer":
        Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"imap://127.0.0.1:{self._server.server_address[1]}/INBOX"
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
