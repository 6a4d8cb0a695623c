# webdriver.py - drives a headless Chromium by chromedriver, with nothing but Python's own library.
# The protocol is W3C WebDriver: one JSON request per command.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import re
import shutil
import subprocess
import tempfile
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PATIENCE = 600  # seconds that one command may take on a busy machine
KEYS = {"Escape": "\ue00c", "Enter": "\ue007", "Tab": "\ue004"}


class Browser:
    def __init__(self, width=1280, height=900):
        self.profile = tempfile.mkdtemp(prefix="heapprof-chromium.")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.driver.stdout:
            started = re.search(r"started successfully on port (\d+)", line)
            if started:
                break
        else:
            raise RuntimeError("chromedriver did not start")
        self.base = f"http://127.0.0.1:{started[1]}/session"
        arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
                     "--disable-dev-shm-usage", f"--window-size={width},{height}", f"--user-data-dir={self.profile}"]
        answer = self.ask("", {"capabilities": {"alwaysMatch": {
            "timeouts": {"script": 1000 * PATIENCE, "pageLoad": 1000 * PATIENCE},
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.base += "/" + answer["sessionId"]

    def ask(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        # A proxy of the environment has no business here.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def open(self, url):
        self.ask("/url", {"url": url})
        self.settle()

    # When a command has ended, the event by which the page hears of a new address may only be queued.
    def settle(self):
        self.ask("/execute/async", {"args": [], "script": """const done = arguments[arguments.length - 1];
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)));"""})

    def run(self, script, *arguments):
        return self.ask("/execute/sync", {"script": script, "args": list(arguments)})

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def find(self, selector):
        return self.ask("/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.ask(f"/element/{self.find(selector)}/click", {})
        self.settle()

    def type(self, selector, text):
        self.ask(f"/element/{self.find(selector)}/value", {"text": text})
        self.settle()

    def key(self, name):
        key = KEYS.get(name, name)
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.ask("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})
        self.settle()

    def complaints(self):
        return [entry["message"] for entry in self.ask("/se/log", {"type": "browser"})]

    def requests(self):
        messages = (json.loads(entry["message"])["message"] for entry in self.ask("/se/log", {"type": "performance"}))
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]

    def close(self):
        try:
            self.ask("", method="DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.profile, ignore_errors=True)
