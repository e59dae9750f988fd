"""Page errors reported to the server, because no WebKit driver reports them.

Each page of the site begins with an additional script. It sends errors of scripts, the
console, files and the Content-Security-Policy to the test.
"""

from typing import Any

from games.process.asgi import App, Scope

REPORT_ADDRESS = "/what-went-wrong.js"
HEAD = b"<head>"
SCRIPT_TAG = f'<script src="{REPORT_ADDRESS}"></script>'.encode()
SCRIPT = f"""
function tell(text) {{
  const call = new XMLHttpRequest();
  call.open("POST", "{REPORT_ADDRESS}", false);  // what the page does next must not come first
  call.send(`${{location.pathname}}: ${{text}}`);
}}
addEventListener("error", (event) => {{
  tell(event.message ?? `not loaded: ${{event.target.outerHTML}}`);
}}, true);
addEventListener("unhandledrejection", (event) => tell(`not caught: ${{event.reason}}`));
addEventListener("securitypolicyviolation", (event) => {{
  tell(`against the policy: ${{event.violatedDirective}} ${{event.blockedURI}}`);
}});
const said = console.error;
console.error = (...words) => {{ tell(words.join(" ")); said(...words); }};
""".encode()


class ErrorListener:
    """ASGI wrapper around the site that adds errors reported by pages to `heard`."""

    def __init__(self, site: App, heard: list[str]) -> None:
        self.site = site
        self.heard = heard

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"] == REPORT_ADDRESS:
            await self._listen(scope, receive, send)
        elif scope["type"] == "http":
            await self.site(_disable_compression(scope), receive, _ScriptInserter(send))
        else:
            await self.site(scope, receive, send)

    async def _listen(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serve the script, or record the error that it reports.

        A report is short enough to arrive in one message.
        """
        if scope["method"] == "POST":
            self.heard.append((await receive())["body"].decode())
        await send_script(send, SCRIPT)


async def send_script(send: Any, script: bytes) -> None:
    """Answer a request with a script."""
    kind = [(b"content-type", b"text/javascript")]
    await send({"type": "http.response.start", "status": 200, "headers": kind})
    await send({"type": "http.response.body", "body": script})


def _disable_compression(scope: Scope) -> Scope:
    headers = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
    return {**scope, "headers": headers}


class _ScriptInserter:
    """Sender of responses with one more script in their page.

    It drops the Content-Length header, because the added script changes the length.
    """

    def __init__(self, send: Any) -> None:
        self.send = send

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            kept = [pair for pair in message["headers"] if pair[0].lower() != b"content-length"]
            message = {**message, "headers": kept}
        elif message.get("body"):
            message = {**message, "body": message["body"].replace(HEAD, HEAD + SCRIPT_TAG, 1)}
        await self.send(message)
