"""Errors that pages report to the server, because the WebKit driver does not report them.

A script is added to every page of the site. It reports errors in scripts, console errors, files
that fail to load and violations of the Content-Security-Policy.
"""

from typing import Any

from games.process.asgi import App, Scope

REPORT_ADDRESS = "/what-went-wrong.js"
HEAD = b"<head>"
SCRIPT_TAG = f'<script src="{REPORT_ADDRESS}"></script>'.encode()
SCRIPT = f"""
function report(text) {{
  const call = new XMLHttpRequest();
  call.open("POST", "{REPORT_ADDRESS}", false);  // synchronous, so that no report is lost
  call.send(`${{location.pathname}}: ${{text}}`);
}}
addEventListener("error", (event) => {{
  report(event.message ?? `not loaded: ${{event.target.outerHTML}}`);
}}, true);
addEventListener("unhandledrejection", (event) => report(`not caught: ${{event.reason}}`));
addEventListener("securitypolicyviolation", (event) => {{
  report(`against the policy: ${{event.violatedDirective}} ${{event.blockedURI}}`);
}});
const log = console.error;
console.error = (...words) => {{ report(words.join(" ")); log(...words); }};
""".encode()


class ErrorListener:
    """ASGI wrapper around the site that adds errors reported by pages to `errors`."""

    def __init__(self, site: App, errors: list[str]) -> None:
        self.site = site
        self.errors = errors

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"] == REPORT_ADDRESS:
            await self._handle_report(scope, receive, send)
        elif scope["type"] == "http":
            await self.site(_disable_compression(scope), receive, _ScriptInserter(send))
        else:
            await self.site(scope, receive, send)

    async def _handle_report(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serve the script, or record the error that it reports.

        A report is short enough to arrive in one message.
        """
        if scope["method"] == "POST":
            self.errors.append((await receive())["body"].decode())
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
    """Sender that adds the script to pages.

    It drops the Content-Length header, because the script changes the length.
    """

    def __init__(self, send: Any) -> None:
        self.send = send

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = [pair for pair in message["headers"] if pair[0].lower() != b"content-length"]
            message = {**message, "headers": headers}
        elif message.get("body"):
            message = {**message, "body": message["body"].replace(HEAD, HEAD + SCRIPT_TAG, 1)}
        await self.send(message)
