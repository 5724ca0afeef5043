"""Help for the settings of `shedu serve` that have no option."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from typer.core import TyperCommand

MEANINGS = {
    "calls_per_second": "calls of one caller in each process; twice as many at once",
    "connection_calls_per_second": "calls over one connection",
    "creates_per_minute": "games that one caller creates",
    "open_games": "unfinished games of one caller",
    "bot_only_games": "unfinished games of one caller with bots on every seat",
    "waiting_tickets": "tickets of one caller that wait for a game",
    "streams_per_caller": "open streams of one caller in each process",
    "streams": "open streams in each process",
    "wrong_tokens": "wrong keys and tokens of one address in each process, until it has to wait",
    "events_per_second": "events of one caller in each process: read from logs or sent live to watchers",
    "connections_per_address": "connections of one address, --proxy aside, on each port of each process",
    "connections": "connections on each port of each process; fewer if the limit of open files is low",
    "idle_seconds": "how long a connection stays open without a call",
    "head_seconds": "how long the head of a request, or the HTTP/2 greeting, may take",
    "body_seconds": "how long the body of a request may take",
    "seat_token_days": "how long a seat token is valid",
    "cache_mb": "memory for open games in each process",
    "heartbeat_seconds": "how often an idle stream sends a heartbeat",
    "drain_seconds": "how long it keeps serving after SIGTERM, so that load balancers can remove it",
    "game_expiry_hours": "when a game that has not started expires; 0 for never",
    "archive_after_hours": "how long after its end a game is put into --archive-dir",
    "bot_processes": "processes for slow bots; quick ones have one more",
    "bot_seconds": "how long a bot may take for one decision",
    "bot_think_seconds": "minimum time of a bot for one decision",
    "bot_only_seconds": "how long bots think a minute in all such games of one caller; 0 for any time",
    "talk": "what seats may say to each other: off, phrases, or free for any text where a game allows it",
    "webhooks": "whether callers can have webhooks",
    "webhook_networks": "networks that deliveries may go to although they are not public, such as 10.0.0.0/8",
    "webhook_http": "whether webhooks may have http URLs",
    "webhook_retry_seconds": "wait before a failed delivery is repeated; it grows with every repetition",
    "webhook_sweep_seconds": "how often the games of callers with webhooks are searched for lost events",
    "players": "profiles, ratings, histories and leaderboards of callers; 0 for none",
    "leaderboard_games": "rated games from which on a player is on the leaderboard",
    "refused_words_file": "a file with words that handles must not contain, separated by spaces or lines",
    "matchmaking": "games with strangers, found by the service; 0 for none",
    "match_range": "how far ratings of opponents may differ at once",
    "match_widening": "how much further for each second that a ticket waits",
    "ticket_minutes": "how long a ticket waits for a game",
    "traces": "traces of calls; without a value, if OTEL_EXPORTER_OTLP_ENDPOINT is set",
}


class WithVariables(TyperCommand):
    """A command whose help also lists the settings without an option."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        # Built only when help is shown, because it imports the settings. The command object may be used
        # again, so its own epilog is restored.
        written = self.epilog
        options = {str(parameter.name) for parameter in self.params}
        listed = "\n\n".join(described(options))
        self.epilog = f"Set by environment alone (limits: 0 for none):\n\n{listed}\n\n{written}"
        try:
            super().format_help(ctx, formatter)
        finally:
            self.epilog = written


def described(options: Container[str]) -> Iterator[str]:
    """Yield a line for each setting without an option: its name, default and meaning."""
    from gamehost.settings import Settings

    for name in Settings.model_fields:
        if name not in options:
            default = default_of(name)
            stated = f" ({default:g})" if isinstance(default, int | float) else ""
            yield f"    SHEDU_{name.upper()}{stated}: {MEANINGS.get(name, '')}".rstrip(": ")


def default_of(name: str) -> Any:
    """Return the default of a setting; for limits, that of a service that other machines can reach."""
    from gamehost.settings import LIMITS, Settings

    return LIMITS.get(name, Settings.model_fields[name].default)
