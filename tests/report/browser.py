# ruff: noqa: E501
"""A headless Chromium over the DevTools protocol: only what the tests of the page need, every wait bounded."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions", "--hide-scrollbars",
    "--disable-dev-shm-usage", "--remote-debugging-port=0", "--remote-allow-origins=*",
)  # fmt: skip
LIMIT_S = 60.0


class Browser:
    """``with Browser(folder) as browser``: one tab; ``errors`` and ``requests`` collect what the page did."""

    def __init__(self, folder: Path) -> None:
        self.profile = folder / "profile"
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._number = 0
        self._loaded = False
        self._open = contextlib.ExitStack()

    @staticmethod
    def program() -> str | None:
        return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

    def __enter__(self) -> Browser:
        self.profile.mkdir(parents=True)
        program = self.program()
        assert program is not None
        # It leaves what it puts among temporary files. Not beside the profile: the path would be too long for its socket.
        self._temporary = tempfile.mkdtemp()
        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={self.profile}", "about:blank"],
            env={**os.environ, "TMPDIR": self._temporary},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            self._socket = self._connect()
            for domain in ("Page", "Runtime", "Network", "Log"):
                self.send(f"{domain}.enable")
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        self._end()

    def left_behind(self) -> list[int]:
        """Processes of the browser's session that still live (those that only wait to be reaped do not)."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                state, _, group = stat.read_text().rpartition(")")[2].split()[:3]
                found += [int(stat.parent.name)] if int(group) == self._process.pid and state not in "ZX" else []
        return found

    def open(self, page: Path) -> None:
        """Load a page from disk and wait until it is complete."""
        self.errors.clear()
        self.requests.clear()
        self._loaded = False
        self.send("Page.navigate", url=page.as_uri())
        end = time.monotonic() + LIMIT_S
        while not self._loaded:
            assert time.monotonic() < end, "the page did not load in time"
            self._take(self._receive(end))
        self.settle()

    def settle(self) -> None:
        """Wait until what was asked for is on the screen."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def look(self, *, width: int, height: int = 900, dark: bool = False) -> None:
        """Set the size of the screen and the preferred colours."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def evaluate(self, script: str) -> Any:
        """The value of an expression in the page (promises awaited)."""
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def screenshot(self, path: Path, *, top: int = 0, height: int = 0) -> None:
        """The page as PNG: the whole of it, or ``height`` pixels from ``top``."""
        width = self.evaluate("document.documentElement.clientWidth")
        tall = height or self.evaluate("document.documentElement.scrollHeight")
        clip = {"x": 0, "y": top, "width": width, "height": tall, "scale": 1}
        shot = self.send("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def send(self, method: str, **parameters: object) -> Any:
        """One command of the protocol and its answer; events that come in between are taken note of."""
        self._number += 1
        number = self._number
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        end = time.monotonic() + LIMIT_S
        while True:
            message = self._receive(end)
            if message.get("id") == number:
                assert "error" not in message, f"{method}: {message['error']}"
                return message["result"]
            self._take(message)

    def _receive(self, end: float) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._socket.recv(timeout=max(0.1, end - time.monotonic())))
        return message

    def _take(self, message: dict[str, Any]) -> None:
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.exceptionThrown":
            self.errors.append(str(parameters["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.errors.append(str(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(str(parameters["entry"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.errors.append(f"dialog: {parameters['message']}")
            self._number += 1
            self._socket.send(
                json.dumps({"id": self._number, "method": "Page.handleJavaScriptDialog", "params": {"accept": False}})
            )

    def _connect(self) -> ClientConnection:
        """Wait for the browser's port, then connect to its first tab."""
        import urllib.request

        where = self.profile / "DevToolsActivePort"
        end = time.monotonic() + LIMIT_S
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while time.monotonic() < end:
            assert self._process.poll() is None, "the browser ended at once"
            if where.exists() and len(lines := where.read_text().splitlines()) > 1:
                with opener.open(f"http://127.0.0.1:{lines[0]}/json/list", timeout=10) as answer:
                    tabs = [tab for tab in json.load(answer) if tab["type"] == "page"]
                if tabs:
                    where_to = tabs[0]["webSocketDebuggerUrl"]
                    return self._open.enter_context(connect(where_to, max_size=None, proxy=None, open_timeout=20))
            time.sleep(0.05)
        raise AssertionError("the browser did not open its port in time")

    def _end(self) -> None:
        """End the browser and all its processes; they share the session that was started for them."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=20)
        end = time.monotonic() + 20
        while self.left_behind() and time.monotonic() < end:
            time.sleep(0.05)
        for folder in (self.profile, self._temporary):
            shutil.rmtree(folder, ignore_errors=True)
