"""A Firefox that is on this machine, as tests drive it: headless, by its own remote protocol, Marionette.

Playwright drives only a Firefox that it has built itself, which is not on PyPI.
"""

import base64
import itertools
import json
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

NAMES = ("firefox", "firefox-esr")
STARTING = 60
"""The seconds that the browser may take to start."""
PREFERENCES = {
    "marionette.port": 0,  # a free port, which the profile then names
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.normandy.enabled": False,
    "browser.download.folderList": 2,
    "browser.aboutwelcome.enabled": False,
}
DARK, LIGHT = 0, 1
"""The values of the preference of the colour scheme."""


def installed() -> str | None:
    """The browser's executable, if there is any."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Firefox:
    """A browser with one window. Its folder holds the profile and what it downloads."""

    def __init__(self, executable: str, folder: Path, scheme: int = LIGHT) -> None:
        profile, self.downloads = folder / "profile", folder / "downloads"
        profile.mkdir(parents=True)
        self.downloads.mkdir()
        wanted = PREFERENCES | {
            "browser.download.dir": str(self.downloads),
            "layout.css.prefers-color-scheme.content-override": scheme,
        }
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in wanted.items()]
        (profile / "user.js").write_text("\n".join(lines))
        command = [executable, "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.numbers = itertools.count(1)
        self.connection = socket.create_connection(("127.0.0.1", self._port(profile)), timeout=120)
        self.stream = self.connection.makefile("rb")
        self._read()  # the greeting
        self.command("WebDriver:NewSession", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})

    def _port(self, profile: Path) -> int:
        file, end = profile / "MarionetteActivePort", time.monotonic() + STARTING
        while time.monotonic() < end:
            if file.is_file() and file.read_text().strip():
                return int(file.read_text())
            time.sleep(0.1)
        raise TimeoutError("Firefox has not started.")

    def _read(self) -> Any:
        size = b""
        while (byte := self.stream.read(1)) != b":":
            size += byte
        return json.loads(self.stream.read(int(size)))

    def command(self, name: str, **arguments: Any) -> Any:
        """Give a command of Marionette and return its result."""
        message = json.dumps([0, next(self.numbers), name, arguments]).encode()
        self.connection.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        assert error is None, error
        return result

    def open(self, address: str, width: int = 1200, height: int = 900) -> None:
        self.command("WebDriver:SetWindowRect", width=width, height=height)
        self.command("WebDriver:Navigate", url=address)

    def run(self, script: str, *arguments: Any) -> Any:
        """Return what a function's body in JavaScript returns; `arguments` are its arguments."""
        return self.command("WebDriver:ExecuteScript", script=script, args=list(arguments))["value"]

    def wait(self, condition: str, seconds: float = 20) -> None:
        """Wait until an expression in JavaScript is true."""
        end = time.monotonic() + seconds
        while not self.run(f"return Boolean({condition})"):
            assert time.monotonic() < end, f"Firefox still waits for {condition}."
            time.sleep(0.05)

    def find(self, selector: str) -> str:
        found = self.command("WebDriver:FindElement", using="css selector", value=selector)["value"]
        return str(next(iter(found.values())))

    def click(self, selector: str) -> None:
        self.command("WebDriver:ElementClick", id=self.find(selector))

    def type(self, selector: str, text: str) -> None:
        self.command("WebDriver:ElementSendKeys", id=self.find(selector), text=text)

    def select(self, selector: str, value: str) -> None:
        """Choose an option of a select element."""
        self.click(f"{selector} option[value='{value}']")

    def picture(self, path: Path) -> None:
        """Write the window's picture (PNG)."""
        data = self.command("WebDriver:TakeScreenshot", full=False, hash=False)["value"]
        path.write_bytes(base64.b64decode(data))

    def close(self) -> None:
        self.connection.close()
        self.process.terminate()
        self.process.wait(timeout=120)
