"""nginx with deploy/nginx.conf, in front of test sites."""

import re
import subprocess
from pathlib import Path

from tests import services
from tests.services import Service, accepts_connections, find_free_port

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"


class Nginx(Service):
    """nginx in front of the sites at these ports. It listens on `plain` (HTTP) and `tls`."""

    def __init__(self, *upstream: int) -> None:
        self.program, openssl = services.find_nginx()
        super().__init__()
        self.plain, self.tls = find_free_port(), find_free_port()
        command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test"]
        command += ["-addext", "subjectAltName=IP:127.0.0.1"]
        self.certificate = self.folder / "fullchain.pem"
        files = [("-keyout", "privkey.pem"), ("-out", "fullchain.pem")]
        names = [word for flag, name in files for word in (flag, str(self.folder / name))]
        subprocess.run([*command, *names], check=True, capture_output=True)
        (self.folder / "nginx.conf").write_text(self._format_configuration(upstream))

    def _format_configuration(self, upstream: tuple[int, ...]) -> str:
        site = re.sub(r" +listen \[::\].*\n", "", (DEPLOY / "nginx.conf").read_text())
        site = site.replace("/etc/lastcard/tls", str(self.folder))
        site = site.replace("listen 80;", f"listen 127.0.0.1:{self.plain};")
        site = site.replace("listen 443 ", f"listen 127.0.0.1:{self.tls} ")
        servers = "".join(f"    server 127.0.0.1:{port} max_fails=0;\n" for port in upstream)
        site = re.sub(r"(    server 127\.0\.0\.1:\d+ max_fails=0;\n)+", servers or r"\g<0>", site)
        folders = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "".join(f"{name}_temp_path {self.folder}/{name};\n" for name in folders)
        main = f"daemon off; pid {self.folder}/pid; error_log stderr;\n"
        lines = "events { worker_connections 4096; }\n"
        return f"{main}{lines}http {{ access_log off;\n{temporary}{site}}}\n"

    def command(self) -> list[str]:
        return [self.program, "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]

    def ready(self) -> bool:
        return accepts_connections(("127.0.0.1", self.tls))
