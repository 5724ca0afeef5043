"""Tests that every kind of failure raises its own exception."""

from __future__ import annotations

import socket
import threading
from concurrent import futures
from http.server import BaseHTTPRequestHandler, HTTPServer

import grpc
import pytest
from google.rpc import code_pb2

import shedu
from gamehost.api.pipeline.status import status
from sdk.clocks import tried
from shedu.tides.v1 import tides_pb2
from shedu.tigris.v1 import tigris_pb2
from support.process import Serve
from support.servers import free_port
from support.waiting import PATIENCE

NOWHERE = "a" * 20


@pytest.fixture
def server(serve):
    with shedu.connect(serve.address) as server:
        yield server


@pytest.fixture
def game(server):
    return server.create("tides")


@pytest.fixture
def ann(game):
    """Returns the first seat of a started game."""
    ann, _bob = game.join("Ann"), game.join("Bob")
    return ann


def test_an_invalid_field_is_named(server):
    with pytest.raises(shedu.InvalidRequest) as raised:
        server.game("not an id").look()

    assert ["game_id"] == [violation.field for violation in raised.value.violations]
    assert "INVALID_REQUEST" == raised.value.reason


def test_an_action_of_another_title_is_invalid(ann):
    asked = ann.legal_actions().decision

    with pytest.raises(shedu.InvalidRequest) as raised:
        ann.play(tigris_pb2.Action(end_turn=tigris_pb2.EndTurn()), asked)

    assert "WRONG_TITLE" == raised.value.reason


def test_a_request_id_is_for_one_request(ann):
    legal = ann.legal_actions()
    ann.play(legal.actions[0], legal.decision, request_id="once-and-for-all")

    with pytest.raises(shedu.InvalidRequest) as raised:
        ann.play(legal.actions[1], legal.decision, request_id="once-and-for-all")

    assert "REQUEST_ID_REUSED" == raised.value.reason


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda server: server.game(NOWHERE).look(), "GAME_NOT_FOUND"),
        (lambda server: server.title("chess"), "TITLE_NOT_FOUND"),
        (lambda server: server.create("tides").join(seat=9), "SEAT_NOT_FOUND"),
    ],
)
def test_what_is_not_there_is_not_found(server, ask, reason):
    with pytest.raises(shedu.NotFound) as raised:
        ask(server)

    assert reason == raised.value.reason


@pytest.mark.parametrize(("token", "reason"), [("", "TOKEN_MISSING"), ("nonsense", "TOKEN_INVALID")])
def test_a_seat_wants_its_token(server, ann, token, reason):
    stranger = server.player(ann.id, 0, token)

    with pytest.raises(shedu.Unauthenticated) as raised:
        stranger.legal_actions()

    assert reason == raised.value.reason


def test_a_token_of_another_game_is_forbidden_here(server, ann):
    elsewhere = server.player(server.create("tides").id, 0, ann.token)

    with pytest.raises(shedu.Forbidden) as raised:
        elsewhere.legal_actions()

    assert "NOT_YOUR_SEAT" == raised.value.reason


def test_who_sits_there_has_joined_already(game):
    ann = game.join("Ann")

    with pytest.raises(shedu.AlreadyJoined):
        ann.join("Ann")


def test_a_full_game_cannot_be_joined_now(game, ann):
    with pytest.raises(shedu.NotNow) as raised:
        game.join("Cleo")

    assert raised.value.reason in ("GAME_FULL", "GAME_STARTED")


def test_a_refusal_names_the_rule(ann):
    legal = ann.legal_actions()
    mine = {each.action.tides.choose_card.card for each in legal.actions}
    other = next(card for card in tides_pb2.Card.values()[1:] if card not in mine)

    with pytest.raises(shedu.Refused) as raised:
        ann.play(tides_pb2.Action(choose_card=tides_pb2.ChooseCard(card=other)), legal.decision)

    assert raised.value.rule.startswith("TT-")
    assert raised.value.reason
    assert raised.value.reason in str(raised.value)


def test_who_is_late_is_told_what_it_missed(ann):
    legal = ann.legal_actions()
    played = ann.play(legal.actions[0], legal.decision)

    with pytest.raises(shedu.Stale) as raised:
        ann.play(legal.actions[0], legal.decision)

    assert "DECISION_ANSWERED" == raised.value.reason
    assert played.view.version == raised.value.version
    assert list(played.events) == raised.value.events[-len(played.events) :]


def test_a_stale_expected_version_is_refused(ann):
    legal = ann.legal_actions()

    with pytest.raises(shedu.Stale) as raised:
        ann.play(legal.actions[0], legal.decision, expected_version=legal.version - 1)

    assert ("STALE_VERSION", legal.version) == (raised.value.reason, raised.value.version)


def test_a_version_may_not_be_there_yet(ann):
    with pytest.raises(shedu.VersionInFuture):
        ann.view(version=9999)


def test_a_request_may_be_too_large(game):
    with pytest.raises(shedu.TooLarge):
        game.join("Ann" * 30_000)


def create_many(server):
    """Creates more games than a minute permits, even if a minute ends in between."""
    for _ in range(3):
        server.create("tides")


def test_a_limit_is_waited_for_or_told(tmp_path):
    with Serve(tmp_path, SHEDU_CREATES_PER_MINUTE="1", SHEDU_CALLS_PER_SECOND="10") as strict:
        with tried(times=1) as patience, shedu.connect(strict.address, patience=patience) as hasty:
            game = hasty.create("tides")
            with pytest.raises(shedu.TooMuch) as raised:
                create_many(hasty)
        with shedu.connect(strict.address, patience=PATIENCE) as patient:
            looks = [patient.game(game.id).look() for _ in range(25)]

    assert 0 < raised.value.retry_after <= 60
    assert 25 == len(looks)


def test_nobody_answers():
    with (
        tried(times=2) as patience,
        shedu.connect(f"127.0.0.1:{free_port()}", patience=patience) as server,
        pytest.raises(shedu.Unavailable),
    ):
        server.titles()


def test_nobody_answers_in_time():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]

        with shedu.connect(f"127.0.0.1:{port}", patience=0.5) as server, pytest.raises(shedu.TimedOut):
            server.titles()


def test_a_port_of_something_else_is_named_at_once():
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as pages:
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{pages.server_port}"
        with (
            shedu.connect(address, patience=PATIENCE) as server,
            pytest.raises(shedu.NotGrpc, match="this address does not speak gRPC"),
        ):
            server.titles()
        pages.shutdown()


class Failing(grpc.GenericRpcHandler):
    """Answers every call with one error."""

    def __init__(self, code: grpc.StatusCode, reason: str) -> None:
        self.code, self.reason = code, reason

    def service(self, _details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:
        def fail(_request: bytes, context: grpc.ServicerContext) -> bytes:
            answer = status(code_pb2.Code.Value(self.code.name), self.reason, "it failed")
            details = (("grpc-status-details-bin", answer.SerializeToString()),) if self.reason else ()
            context.set_trailing_metadata(details)
            context.abort(self.code, "it failed")

        return grpc.unary_unary_rpc_method_handler(fail)


@pytest.mark.parametrize(
    ("code", "reason", "kind"),
    [
        (grpc.StatusCode.INTERNAL, "INTERNAL", shedu.Fault),
        (grpc.StatusCode.INTERNAL, "", shedu.Unavailable),  # from the connection, not from the service
        (grpc.StatusCode.DATA_LOSS, "GAME_UNREADABLE", shedu.Unreadable),
        (grpc.StatusCode.UNIMPLEMENTED, "METHOD_NOT_FOUND", shedu.NotOffered),
    ],
)
def test_a_server_in_trouble_says_so(code, reason, kind):
    troubled = grpc.server(futures.ThreadPoolExecutor(1), handlers=(Failing(code, reason),))
    port = troubled.add_insecure_port("127.0.0.1:0")
    troubled.start()

    with (
        tried(times=1) as patience,
        shedu.connect(f"127.0.0.1:{port}", patience=patience) as server,
        pytest.raises(kind) as raised,
    ):
        server.titles()

    troubled.stop(None).wait()
    assert (reason, "it failed") == (raised.value.reason, raised.value.message)


@pytest.mark.parametrize(
    "address",
    [
        "ftp://x",
        "grpc://",
        "localhost:port",
        "grpc://ann:secret@x",
        "x/games",
        "x:0",
        "x:99999",
        "my host",
        "x?y",
        "x#y",
        " x",
        "a..b",
        "@x",
    ],
)
def test_an_address_must_be_one(address):
    with pytest.raises(ValueError, match="is not an address of a server"):
        shedu.connect(address)


def test_nothing_that_is_printed_tells_a_token(server, ann, monkeypatch):
    monkeypatch.setenv("SHEDU_TOKEN", "from-the-environment")
    with shedu.connect("localhost:1") as other:
        shown = f"{other!r} {ann!r} {other.player(ann.id, 0)!r} {server.game(ann.id, token='mine')!r}"

    assert ann.token
    assert not any(secret in shown for secret in (ann.token, "from-the-environment", "mine"))
    assert "from-the-environment" == other.player(ann.id, 0).token


def test_a_token_that_cannot_be_sent_is_refused_without_being_told():
    with pytest.raises(ValueError, match="printable") as raised:
        shedu.connect("localhost:1", token="säcret")

    assert "säcret" not in str(raised.value)


def test_a_word_must_be_known(server):
    with pytest.raises(ValueError, match="'secret' is none of: public, unlisted, private"):
        server.create("tides", visibility="secret")
