"""Tests of the short arguments of the client, and of the requests made from them."""

from __future__ import annotations

import pytest
from google.protobuf.duration_pb2 import Duration

import shedu
from shedu.addresses import Address, Certificates, address_of, token_of
from shedu.arguments import action_of, new_request_id, options_of, seat_count, seat_plans
from shedu.stone_age.v1 import stone_age_pb2
from shedu.tides.v1 import tides_pb2
from shedu.v1 import catalog_service_pb2, game_pb2
from shedu.v1 import game_service_pb2 as pb


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("play.example.org:7000", Address("play.example.org:7000")),
        ("play.example.org", Address("play.example.org:50051")),
        ("grpc://10.0.0.1", Address("10.0.0.1:50051")),
        ("grpcs://play.example.org", Address("play.example.org:443", tls=True)),
        ("grpcs://play.example.org:7443/", Address("play.example.org:7443", tls=True)),
        ("[::1]:7000", Address("[::1]:7000")),
        ("[::ffff:10.0.0.1]", Address("[::ffff:10.0.0.1]:50051")),
        ("play.example.org.", Address("play.example.org.:50051")),
        ("", Address("localhost:50051")),
    ],
)
def test_addresses(said, meant, monkeypatch):
    monkeypatch.delenv("SHEDU_SERVER", raising=False)

    assert meant == address_of(said)


def test_the_environment_says_what_is_left_out(monkeypatch):
    monkeypatch.setenv("SHEDU_SERVER", "grpcs://play.example.org")
    monkeypatch.setenv("SHEDU_TOKEN", " a-key\n")

    assert Address("play.example.org:443", tls=True) == address_of()
    assert ("a-key", "mine", "") == (token_of(None), token_of("mine"), token_of(""))


def test_certificates_come_from_arguments_or_from_files_and_are_not_shown(monkeypatch, tmp_path):
    for name in ("ca", "cert", "key"):
        (tmp_path / name).write_text(f"the {name}")
    monkeypatch.setenv("SHEDU_SERVER_CA", str(tmp_path / "ca"))
    monkeypatch.setenv("SHEDU_CLIENT_CERT", str(tmp_path / "cert"))
    monkeypatch.setenv("SHEDU_CLIENT_KEY", str(tmp_path / "key"))
    given = Certificates(b"mine", b"my cert", b"my key")

    from_files = address_of("grpcs://play.example.org")
    monkeypatch.delenv("SHEDU_CLIENT_KEY")

    assert Certificates(b"the ca", b"the cert", b"the key") == from_files.certificates
    assert "the key" not in repr(from_files)
    assert given == address_of("grpcs://play.example.org", given).certificates
    assert Certificates() == address_of("play.example.org").certificates
    with pytest.raises(ValueError, match="needs its key"):
        address_of("grpcs://play.example.org")
    with pytest.raises(ValueError, match="begins with grpcs://"):
        address_of("play.example.org", given)


def test_clocks():
    forfeit = game_pb2.TIMEOUT_POLICY_FORFEIT
    half_a_minute, minute, second = Duration(seconds=30), Duration(seconds=60), Duration(seconds=1)

    assert half_a_minute == shedu.per_decision(30).per_decision
    assert (3, forfeit) == (shedu.days(3).days, shedu.days(3, on_timeout="forfeit").on_timeout)
    bank = shedu.bank(60, increment=1, bot="greedy")
    assert (minute, second, "greedy") == (bank.bank.initial, bank.bank.increment, bank.bot_level)


def test_spectators():
    late = shedu.spectators("token", delay=5)

    assert (game_pb2.SPECTATOR_POLICY_TOKEN, 5) == (late.policy, late.delay)


def test_messages_of_a_title_are_put_where_they_belong():
    options, action = stone_age_pb2.Options(max_rounds=2), tides_pb2.Action()
    legal = pb.LegalAction(action=game_pb2.Action(tides=action))

    assert game_pb2.Options(stone_age=options) == options_of(options)
    assert options_of(None) is None
    assert legal.action == action_of(action) == action_of(legal.action) == action_of(legal)


def test_a_message_of_no_title_is_refused():
    with pytest.raises(TypeError, match="Game is no Action of any title"):
        action_of(game_pb2.Game())


@pytest.mark.parametrize(
    ("seats", "bots", "planned"),
    [
        (3, [], []),
        (3, ["greedy"], ["", "", "greedy"]),
        (2, ["greedy", "random"], ["greedy", "random"]),
        ([game_pb2.SeatPlan()], ["random"], ["", "random"]),
    ],
)
def test_bots_sit_on_the_last_seats(seats, bots, planned):
    assert planned == [plan.bot_level for plan in seat_plans(seats, bots)]


@pytest.mark.parametrize(("bots", "seats"), [(1, 2), (2, 3), (3, 3)])
def test_a_table_for_bots_has_a_seat_for_a_person_if_it_can(bots, seats):
    title = catalog_service_pb2.Title(min_seats=2, max_seats=3)

    assert seats == seat_count(title, bots)


def test_no_two_request_ids_are_the_same():
    made = {new_request_id() for _ in range(100)}

    assert (100, {32}) == (len(made), {len(each) for each in made})
