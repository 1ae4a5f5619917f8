# SPDX-License-Identifier: Apache-2.0
"""Chromium, driven over the two pipes of --remote-debugging-pipe: JSON messages that end with a zero octet."""
import base64, fcntl, json, os, select, subprocess, tempfile, time


class Browser:
    """A headless browser with one page at a time. Not for root: its own rules forbid it."""

    def __init__(self, program="chromium"):
        (self.read_end, its_out), (its_in, self.write_end) = os.pipe(), os.pipe()
        self.profile = tempfile.TemporaryDirectory(prefix="touchline-chromium-", ignore_cleanup_errors=True)

        def plumb():
            # Above 4 first: either may stand where the other has to go.
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 5) for end in (its_in, its_out)]
            for end, place in zip(ends, (3, 4)):
                os.dup2(end, place, inheritable=True)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "--no-sandbox",
             "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--mute-audio",
             "--hide-scrollbars", "--force-color-profile=srgb", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=plumb,
            close_fds=False, start_new_session=True)
        os.close(its_in)
        os.close(its_out)
        self.buffer, self.number, self.session, self.target, self.errors = b"", 0, None, None, []

    def close(self):
        try:
            self.call("Browser.close", browser=True)
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait(10)
        self.profile.cleanup()

    # Messages

    def call(self, method, browser=False, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session and not browser:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        number = self.number
        while True:
            answer = self.receive(30)
            if answer is None:
                raise RuntimeError(f"chromium does not answer {method}")
            if answer.get("id") != number:
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            return answer.get("result", {})

    def receive(self, patience):
        deadline = time.monotonic() + patience
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], max(0, deadline - time.monotonic()))[0]:
                return None
            octets = os.read(self.read_end, 1 << 20)
            if not octets:
                raise RuntimeError("chromium has ended")
            self.buffer += octets
        line, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(line)
        self.note(message)
        return message

    def note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(value.get("value", "")) for value in parameters["args"]))
        if method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            entry = parameters["entry"]
            self.errors.append(f"{entry['source']}: {entry['text']} {entry.get('url', '')}")

    # Pages

    def open(self, url, width=1280, height=900, dark=False, phone=False, before=""):
        """Closes the page that was there. before: script that runs in front of the page's own."""
        old = self.target
        self.target = self.call("Target.createTarget", browser=True, url="about:blank")["targetId"]
        self.session = self.call(
            "Target.attachToTarget", browser=True, targetId=self.target, flatten=True)["sessionId"]
        if old:
            self.call("Target.closeTarget", browser=True, targetId=old)
        self.errors = []
        for domain in ("Runtime", "Log", "Page", "Network", "Accessibility", "DOM"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.addScriptToEvaluateOnNewDocument", source=before or "0")
        self.call("Page.navigate", url=url)

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(f"{expression[:120]}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def wait(self, expression, patience=15):
        """Until it is true; its value."""
        deadline = time.monotonic() + patience
        while True:
            value = self.evaluate(expression)
            if value:
                return value
            if time.monotonic() > deadline:
                raise AssertionError(f"never true: {expression}")
            time.sleep(0.05)

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.textContent")

    # Hands

    def click(self, expression):
        """A real press of the mouse in the middle of an element that an expression gives. What the page learns just then may
        move the element away: a press that misses it ends in the corner and is no click, and there is another."""
        for _ in range(5):
            x, y = self.evaluate(
                f"(() => {{ const it = {expression}; it.scrollIntoView({{block: 'center'}}); window.wasClicked = false; "
                f"document.addEventListener('click', ({{target}}) => {{ window.wasClicked = ({expression})?.contains(target); }}, "
                "{once: true, capture: true}); "
                "const box = it.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()")
            self.mouse("mousePressed", x, y)
            hit = self.evaluate(f"({expression})?.matches(':active')")
            self.mouse("mouseReleased", *((x, y) if hit else (0, 0)))
            if hit and self.evaluate("window.wasClicked"):
                return
        raise AssertionError(f"five presses missed {expression}")

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    KEYS = {"Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "ArrowLeft": 37, "ArrowUp": 38,
            "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}

    def press(self, key):
        code = self.KEYS.get(key, ord(key[0].upper()))
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=False)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
