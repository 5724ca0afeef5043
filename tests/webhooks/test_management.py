"""Tests that callers create, change and delete webhooks, and that nobody else sees them or their secrets."""

from __future__ import annotations

import base64

import pytest
from google.rpc import error_details_pb2

from gamehost.stores.memory import MemoryEventStore
from shedu.v1 import webhook_service_pb2 as pb
from support.keyed_service import KeyedService
from support.service import Service, detail
from support.webhooks import URL

REQUEST_ID = "0123456789abcdef"


@pytest.fixture
def service() -> KeyedService:
    return KeyedService()


async def test_a_webhook_is_created_listed_changed_and_deleted(service: KeyedService) -> None:
    ann = await service.key("ann")

    created = await service.call(
        "CreateWebhook", ann, url=URL, event_types=["WEBHOOK_EVENT_TYPE_GAME_STARTED"], description="mine"
    )

    webhook = created.webhook
    assert (URL, "mine", True) == (webhook.url, webhook.description, webhook.enabled)
    assert [pb.WEBHOOK_EVENT_TYPE_GAME_STARTED] == list(webhook.event_types)
    assert 32 == len(base64.b64decode(created.secret.removeprefix("whsec_"), validate=True))
    assert [webhook] == list((await service.call("ListWebhooks", ann)).webhooks)
    assert webhook == (await service.call("GetWebhook", ann, webhook_id=webhook.webhook_id)).webhook
    changed = await service.call(
        "UpdateWebhook", ann, webhook_id=webhook.webhook_id, enabled=False, event_types={}, url=f"{URL}/2"
    )
    assert (f"{URL}/2", "mine", False) == (
        changed.webhook.url,
        changed.webhook.description,
        changed.webhook.enabled,
    )
    assert pb.WEBHOOK_DISABLED_REASON_CALLER == changed.webhook.disabled_reason
    assert [] == list(changed.webhook.event_types)
    for _ in range(2):
        await service.call("DeleteWebhook", ann, webhook_id=webhook.webhook_id)
    assert [] == list((await service.call("ListWebhooks", ann)).webhooks)


async def test_a_webhook_is_listed_in_pages(service: KeyedService) -> None:
    ann = await service.key("ann")
    ids = [(await service.call("CreateWebhook", ann, url=URL)).webhook.webhook_id for _ in range(3)]

    first = await service.call("ListWebhooks", ann, page_size=2)
    second = await service.call("ListWebhooks", ann, page_size=2, page_token=first.next_page_token)

    assert ids == [each.webhook_id for page in (first, second) for each in page.webhooks]
    assert "" == second.next_page_token


async def test_a_repeated_request_creates_one_webhook(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")

    first, second = [
        await service.call("CreateWebhook", ann, url=URL, request_id=REQUEST_ID) for _ in range(2)
    ]

    assert first == second
    assert first != await service.call("CreateWebhook", bob, url=URL, request_id=REQUEST_ID)
    assert ("INVALID_ARGUMENT", "REQUEST_ID_REUSED") == await service.refusal(
        "CreateWebhook", ann, url=f"{URL}/2", request_id=REQUEST_ID
    )


async def test_a_caller_has_a_bounded_number_of_webhooks(service: KeyedService) -> None:
    ann = await service.key("ann")
    for _ in range(10):
        await service.call("CreateWebhook", ann, url=URL)

    assert ("RESOURCE_EXHAUSTED", "TOO_MUCH") == await service.refusal("CreateWebhook", ann, url=URL)
    [first, *_] = (await service.call("ListWebhooks", ann)).webhooks
    await service.call("DeleteWebhook", ann, webhook_id=first.webhook_id)
    await service.call("CreateWebhook", ann, url=URL)


RPCS = ["GetWebhook", "UpdateWebhook", "RotateWebhookSecret", "ListFailedDeliveries", "ReplayDeliveries"]


@pytest.mark.parametrize("name", [*RPCS, "TestWebhook"])
async def test_others_do_not_find_a_webhook(service: KeyedService, name: str) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    webhook = (await service.call("CreateWebhook", ann, url=URL)).webhook

    error = await service.error(name, bob, webhook_id=webhook.webhook_id)
    unknown = await service.error(name, bob, webhook_id="a" * 20)

    assert "WEBHOOK_NOT_FOUND" == error.reason
    assert str(error).replace(webhook.webhook_id, "a" * 20) == str(unknown)
    await service.call("DeleteWebhook", bob, webhook_id=webhook.webhook_id)
    assert [webhook] == list((await service.call("ListWebhooks", ann)).webhooks)


async def test_a_service_without_identities_or_without_webhooks_says_so() -> None:
    without = KeyedService(webhooks=False)

    assert ("FAILED_PRECONDITION", "NO_IDENTITIES") == await Service().refusal("CreateWebhook", url=URL)
    assert ("FAILED_PRECONDITION", "WEBHOOKS_OFF") == await without.refusal(
        "ListWebhooks", await without.key("ann")
    )


async def test_secrets_are_stored_encrypted_and_returned_once(service: KeyedService) -> None:
    ann = await service.key("ann")
    created = await service.call("CreateWebhook", ann, url=URL)

    shown = [
        str(await service.call("ListWebhooks", ann)),
        str(await service.call("GetWebhook", ann, webhook_id=created.webhook.webhook_id)),
        str(await service.error("CreateWebhook", ann, url="x")),
    ]
    assert isinstance(service.store, MemoryEventStore)
    webhooks = service.application.webhooks
    assert webhooks is not None
    [kept] = await webhooks.webhooks.all_of("key:ann")

    secret = created.secret.removeprefix("whsec_")
    assert all(secret not in text for text in [*shown, repr(kept), kept.encoded().decode()])
    assert base64.b64decode(secret) not in kept.encoded()


async def test_a_rotation_keeps_the_old_secret_for_a_time(service: KeyedService) -> None:
    ann = await service.key("ann")
    created = await service.call("CreateWebhook", ann, url=URL)
    rotate = {"webhook_id": created.webhook.webhook_id, "request_id": REQUEST_ID, "old_secret_seconds": 60}

    rotated, again = [await service.call("RotateWebhookSecret", ann, **rotate) for _ in range(2)]

    assert rotated == again
    assert created.secret != rotated.secret
    assert service.seconds() + 60 == rotated.webhook.old_secret_expire_time.ToMicroseconds() / 1e6


FORBIDDEN = [
    "http://hooks.example.com/",
    "ftp://hooks.example.com/",
    "https://",
    "hooks.example.com",
    "//hooks.example.com/",
    "https://user@hooks.example.com/",
    "https://:secret@hooks.example.com/",
    "https://hooks.example.com/#part",
    "https://hooks.example.com:22/",
    "https://hooks.example.com:0/",
    "https://hooks.example.com:99999/",
    "https://hooks.example.com:x/",
    "https://hooks.example.com/a b",
    "https://hooks.example.com/a\nb",
    "https://hooks.example.com\\@10.0.0.1/",
    "https://hööks.example.com/",
    "https://-hooks.example.com/",
    "https://hooks..example.com/",
    "https://localhost/",
    "https://localhost./",
    "https://redis/",
    "https://a.localhost/",
    "https://metadata.google.internal/",
    "http://169.254.169.254/",
    "https://169.254.169.254/latest/meta-data",
    "https://168.63.129.16/",
    "https://100.100.100.200/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://192.168.0.1:8443/",
    "https://0.0.0.0/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://240.0.0.1/",
    "https://192.88.99.1/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[::127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b:1::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:7f00:1::]/",
    "https://[fe80::1%25eth0]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[fec0::1]/",
    "https://[ff02::1]/",
    "https://[ff0e::1]/",
    "https://[2001:db8::1]/",
    "https://[::1",
    f"https://{'a' * 64}.example.com/",
]


@pytest.mark.parametrize("url", FORBIDDEN)
async def test_urls_that_are_not_public_are_refused(service: KeyedService, url: str) -> None:
    ann = await service.key("ann")

    error = await service.error("CreateWebhook", ann, url=url)

    [violation] = detail(error, error_details_pb2.BadRequest).field_violations
    assert ("INVALID_REQUEST", "url") == (error.reason, violation.field)
    assert [] == list((await service.call("ListWebhooks", ann)).webhooks)
    webhook = (await service.call("CreateWebhook", ann, url=URL)).webhook
    assert (
        "INVALID_REQUEST"
        == (await service.error("UpdateWebhook", ann, webhook_id=webhook.webhook_id, url=url)).reason
    )
    assert [webhook] == list((await service.call("ListWebhooks", ann)).webhooks)


ALLOWED = [
    "https://hooks.example.com",
    "https://hooks.example.com./x",
    "https://HOOKS.example.com:443/a?b=c&d",
    "https://hooks.example.com:8443/",
    "https://xn--hks-sna.example.com/",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://[64:ff9b::808:808]/",
    "https://[::ffff:8.8.8.8]/",
]


@pytest.mark.parametrize("url", ALLOWED)
async def test_public_urls_are_accepted(service: KeyedService, url: str) -> None:
    assert url == (await service.call("CreateWebhook", await service.key("ann"), url=url)).webhook.url


INVALID = [
    ("CreateWebhook", {}, "url"),
    ("CreateWebhook", {"url": f"https://example.com/{'a' * 2000}"}, "url"),
    ("CreateWebhook", {"url": URL, "event_types": [0]}, "event_types[0]"),
    ("CreateWebhook", {"url": URL, "event_types": [99]}, "event_types[0]"),
    ("CreateWebhook", {"url": URL, "event_types": [1, 1]}, "event_types"),
    ("CreateWebhook", {"url": URL, "description": "a" * 201}, "description"),
    ("CreateWebhook", {"url": URL, "description": "a\x00b"}, "description"),
    ("CreateWebhook", {"url": URL, "request_id": "short"}, "request_id"),
    ("ListWebhooks", {"page_token": "x"}, "page_token"),
    ("GetWebhook", {"webhook_id": "X"}, "webhook_id"),
    ("UpdateWebhook", {"webhook_id": "a" * 20, "url": ""}, "url"),
    ("RotateWebhookSecret", {"webhook_id": "a" * 20, "old_secret_seconds": 604801}, "old_secret_seconds"),
    ("ReplayDeliveries", {"webhook_id": "a" * 20, "delivery_ids": ["x"]}, "delivery_ids[0]"),
]


@pytest.mark.parametrize(("name", "fields", "field"), INVALID)
async def test_invalid_fields_are_named(
    service: KeyedService, name: str, fields: dict[str, object], field: str
) -> None:
    error = await service.error(name, await service.key("ann"), **fields)

    [violation, *_] = detail(error, error_details_pb2.BadRequest).field_violations
    assert field == violation.field
