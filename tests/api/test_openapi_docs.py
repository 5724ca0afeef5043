"""Tests that the HTML page shows every method and message, and loads nothing from other hosts."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

from api.echo import METHODS, SERVICES, Echo, open_admission
from api.echo_servers import EchoServers
from gamehost.api.openapi.document import document
from gamehost.api.openapi.page import docs_page, paragraph
from gamehost.api.pipeline.dispatch import Dispatch

DOCUMENT = document(Dispatch([Echo()], SERVICES, open_admission()))
HTML = docs_page(DOCUMENT)


class Tags(HTMLParser):
    """Collects ids and links, and checks that tags are nested."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.ids += [value for name in ("id",) if (value := found.get(name))]
        self.links += [value for name in ("href", "src") if (value := found.get(name))]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()


def test_every_method_and_message_has_a_place() -> None:
    tags = Tags(HTML)

    assert {rpc.name for rpc in METHODS} | DOCUMENT["components"]["schemas"].keys() <= set(tags.ids)
    assert len(tags.ids) == len(set(tags.ids))
    assert [] == tags.open


def test_every_link_leads_somewhere_on_this_server() -> None:
    tags = Tags(HTML)

    places = {f"#{name}" for name in tags.ids} | {"/openapi.json"}
    assert set(tags.links) <= places
    assert not re.search(r"https?://|<script|@import|url\(", HTML)


def test_comments_cannot_break_the_page() -> None:
    assert "<p>&lt;b&gt; <code>a&lt;b</code></p>" == paragraph("<b> `a<b`")


async def test_the_page_is_served(servers: EchoServers) -> None:
    answer = await servers.http.get("/docs")

    assert (200, HTML) == (answer.status_code, answer.text)
    assert "text/html; charset=utf-8" == answer.headers["content-type"]


async def test_the_page_runs_nothing_and_is_shown_in_no_frame(servers: EchoServers) -> None:
    answer = await servers.http.get("/docs")
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    [style] = re.findall("<style>(.*?)</style>", answer.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()

    assert {
        "default-src": "'none'",
        "style-src": f"'sha256-{digest}'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    } == policy
    assert not re.search(r"<script|\sstyle=|\son[a-z]+=", answer.text)
    assert "nosniff" == answer.headers["x-content-type-options"]
    assert "nosniff" == (await servers.http.get("/openapi.json")).headers["x-content-type-options"]
