"""Renders the OpenAPI document as an HTML page, without scripts or anything loaded from other origins."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from html import escape
from importlib import resources
from string import Template
from typing import Any

Document = dict[str, Any]

TEMPLATE = (resources.files(__package__) / "docs.html").read_text("utf-8")


def style_hash(html: str) -> str:
    """The hash of the inline style sheet, as a content security policy names it."""
    [style] = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    return f"sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}"


# Allows the inline style sheet by its hash, and nothing else: no script could run even if one got into the
# page.
DOCS_SECURITY_POLICY = (
    f"default-src 'none'; style-src '{style_hash(TEMPLATE)}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
DOCS_HEADERS = {
    "content-security-policy": DOCS_SECURITY_POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache",
}


def docs_page(document: Document) -> str:
    """The HTML of the page."""
    template = Template(TEMPLATE)
    operations = list(all_operations(document))
    return template.substitute(
        title=escape(document["info"]["title"]),
        introduction=prose(document["info"]["description"]),
        contents="".join(tag_contents(tag, operations) for tag in document["tags"]),
        operations="".join(tag_section(tag, operations) for tag in document["tags"]),
        schemas="".join(
            schema_section(name, schema) for name, schema in document["components"]["schemas"].items()
        ),
    )


def all_operations(document: Document) -> Iterator[tuple[str, str, Document]]:
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            yield verb.upper(), path, operation


def of_tag(tag: Document, operations: list[tuple[str, str, Document]]) -> list[tuple[str, str, Document]]:
    return [found for found in operations if tag["name"] in found[2]["tags"]]


def tag_contents(tag: Document, operations: list[tuple[str, str, Document]]) -> str:
    names = [operation["operationId"] for _, _, operation in of_tag(tag, operations)]
    items = "".join(f'<li><a href="#{name}">{name}</a></li>' for name in names)
    return f"<strong>{escape(tag['name'])}</strong><ul>{items}</ul>"


def tag_section(tag: Document, operations: list[tuple[str, str, Document]]) -> str:
    sections = "".join(operation_section(*found) for found in of_tag(tag, operations))
    return f"<h2>{escape(tag['name'])}</h2>{sections}"


def operation_section(verb: str, path: str, operation: Document) -> str:
    name = operation["operationId"]
    line = f'<p><span class="verb {verb}">{verb}</span> <code>{escape(path)}</code></p>'
    return section(
        name, line + prose(operation["description"]) + request_rows(operation) + response_rows(operation)
    )


def section(name: str, content: str) -> str:
    return f'<section id="{escape(name)}"><h3>{escape(name)}</h3>{content}</section>'


def request_rows(operation: Document) -> str:
    """The list of parameters and fields of the body."""
    rows = [
        row(found["name"], {**found, **found["schema"]}, found["in"], found.get("required", False))
        for found in operation["parameters"]
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    rows += property_rows(body, "body")
    return f"<dl>{''.join(rows)}</dl>" if rows else ""


def response_rows(operation: Document) -> str:
    """The sentence that says what an operation returns."""
    returned = [
        f"{type_name(content_of(media['schema']))} as <code>{escape(name)}</code>"
        for name, media in operation["responses"]["200"]["content"].items()
    ]
    return f"<p>Returns {' or '.join(returned)}.</p>"


def content_of(schema: Document) -> Document:
    """The message in a line or an event of a stream; other schemas are returned as they are."""
    line = schema.get("properties", {}).get("data", schema)
    found: Document = line.get("contentSchema", schema)
    return found


def schema_section(name: str, schema: Document) -> str:
    rows = "".join(property_rows(schema, ""))
    values = ", ".join(f"<code>{escape(value)}</code>" for value in schema.get("enum", ()))
    content = f"<dl>{rows}</dl>" if rows else f"<p>{values}</p>"
    return section(name, prose(schema.get("description", "")) + content)


def property_rows(schema: Document, location: str) -> list[str]:
    """The rows of an object, or of all objects of a union, with the common properties first."""
    variants = schema.get("oneOf", [schema])
    properties = {name: part for variant in variants for name, part in variant.get("properties", {}).items()}
    always = set.intersection(*(set(variant.get("required", ())) for variant in variants))
    common = set.intersection(*(set(variant.get("properties", ())) for variant in variants))
    return [
        row(name, properties[name], location, name in always, name in common)
        for name in sorted(properties, key=lambda name: name not in common)
    ]


def row(name: str, schema: Document, location: str, required: bool, common: bool = True) -> str:
    """The row of a parameter or property; one that is not `common` is a case of a union."""
    notes = [location, "required" if required else "", "" if common else "one of these"]
    note = f' <span class="where">{escape(", ".join(filter(None, notes)))}</span>'
    text = prose(schema.get("description", ""))
    return f"<dt><code>{escape(name)}</code> {type_name(schema)}{note}</dt><dd>{text}</dd>"


def type_name(schema: Document) -> str:
    """A link to the schema that is referred to, or the type and limits of a value."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{escape(name)}">{escape(name)}</a>'
    if schema.get("type") == "array":
        return f"list of {type_name(schema['items'])}"
    limits = [
        f"{key} {schema[key]}"
        for key in ("pattern", "minLength", "maxLength", "minimum", "maximum")
        if key in schema
    ]
    parts = [str(schema.get("format", schema.get("type", ""))), *limits]
    return f'<span class="kind">{escape(", ".join(parts))}</span>'


def prose(text: str) -> str:
    return "".join(paragraph(part) for part in text.split("\n\n") if part.strip())


def paragraph(text: str) -> str:
    """Renders a paragraph with lists and inline code, which is all the Markdown that the contract uses."""
    # Escaped first: the comments may contain markup characters, and the tags added below must stay.
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    lines = marked.split("\n")
    items = "".join(f"<li>{line.removeprefix('- ')}</li>" for line in lines if line.startswith("- "))
    sentence = " ".join(line for line in lines if not line.startswith("- "))
    return (f"<p>{sentence}</p>" if sentence.strip() else "") + (f"<ul>{items}</ul>" if items else "")
