"""Profiles of players: the public handle, what is shown of them, and whom they have blocked.

A caller is known here by a digest of its identity. A *player key* names one life of a caller: after the
caller has deleted its data it is a new player with another key, and the games of the former one belong to
nobody.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace

from gamehost.play.errors import AlreadyTaken, InvalidRequest, NotFound, TooMuch, Unavailable
from gamehost.play.ports.maps import MapChange, Maps

PROFILE = "profile"  # the field of the map of a player
OWNER = "owner"  # the field of the map of a handle
CLAIM_GRACE = 60_000_000  # microseconds after which a handle that its owner's profile does not name is free
PROFILE_ATTEMPTS = 16
MOST_BLOCKED = 100
LOOKALIKES = str.maketrans("013457$", "oieasts", "-_")


@dataclass(frozen=True, slots=True)
class Profile:
    """The stored data of a caller.

    `erased` has the times at which it deleted its data, `blocked` the player keys that it has blocked. A
    blocked caller stays so after it has deleted its data: see `blocked_callers`.
    """

    digest: str
    handle: str = ""
    hidden: bool = False
    erased: tuple[int, ...] = ()
    blocked: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The caller's player key now."""
        return _key(self.digest, len(self.erased))

    @property
    def blocked_callers(self) -> tuple[str, ...]:
        """The digests of the callers whom this one has blocked, in whichever of their lives."""
        return tuple(sorted({digest_of_key(each) for each in self.blocked}))

    def key_at(self, at: int) -> str:
        """Return the player key that the caller had at a time."""
        return _key(self.digest, sum(erased <= at for erased in self.erased))


def _key(digest: str, lives: int) -> str:
    return f"{digest}-{lives}" if lives else digest


def digest_of_key(player: str) -> str:
    """Return the caller that a player key belongs to, whichever of its lives the key names."""
    return player.partition("-")[0]


def caller_digest(caller_id: str) -> str:
    """Return the name of a caller in the store: it keeps identities out of it."""
    return hashlib.sha256(f"player:{caller_id}".encode()).hexdigest()[:32]


def player_map(digest: str) -> str:
    """Return the name of the map with a caller's profile."""
    return f"player:{digest}"


def handle_map(handle: str) -> str:
    """Return the name of the map that says who has a handle; letter case does not matter."""
    return f"handle:{handle.lower()}"


class RefusedWords:
    """The words that the operator does not allow in handles, also in disguise (`b4d-w0rd`)."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        self._words = [plain for word in words if (plain := _plain(word))]

    def check(self, handle: str) -> None:
        """Raise InvalidRequest if the handle has a refused word in it."""
        if any(word in _plain(handle) for word in self._words):
            raise InvalidRequest("handle", "has a word that is not allowed here", reason="HANDLE_REFUSED")


def _plain(word: str) -> str:
    return word.strip().casefold().translate(LOOKALIKES)


class Profiles:
    """Reads and changes profiles. `clock` returns microseconds since 1970, `entropy` random bytes."""

    def __init__(
        self,
        store: Maps,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        refused: RefusedWords,
    ) -> None:
        self._store, self._clock, self._entropy, self._refused = store, clock, entropy, refused

    async def read(self, digest: str) -> Profile:
        """Return a profile as it is stored; an empty one for a caller that has none."""
        return (await self._stored(digest))[1]

    async def many(self, digests: Sequence[str]) -> Sequence[Profile]:
        """Return several profiles."""
        return await asyncio.gather(*map(self.read, digests))

    async def of_caller(self, caller_id: str) -> Profile:
        """Return the profile of a caller; one without a handle gets a made-up one."""
        profile = await self.read(caller_digest(caller_id))
        for _ in range(PROFILE_ATTEMPTS):
            if profile.handle:
                return profile
            try:
                profile = await self._change(profile.digest, self._named)
            except AlreadyTaken:
                continue
        raise Unavailable("no handle could be made up; try again")

    def _named(self, profile: Profile) -> Profile:
        """Return the profile with a made-up handle if it has none."""
        if profile.handle:
            return profile
        return replace(profile, handle=f"player-{base64.b32encode(self._entropy(5)).decode().lower()}")

    async def with_handle(self, handle: str) -> Profile:
        """Return the profile with this handle; raises NotFound."""
        digest = await self._owner(handle)
        profile = await self.read(digest) if digest else None
        if profile is None or profile.handle.lower() != handle.lower():
            raise NotFound(f"no player is called {handle}", reason="PLAYER_NOT_FOUND")
        return profile

    async def handles(self, players: Sequence[str]) -> dict[str, str]:
        """Return the handles by player key, "" for players who have deleted their data."""
        digests = sorted({digest_of_key(player) for player in players})
        profiles = dict(zip(digests, await self.many(digests), strict=True))
        found = {player: profiles[digest_of_key(player)] for player in players}
        return {player: each.handle if each.key == player else "" for player, each in found.items()}

    async def update(self, caller_id: str, handle: str | None, hidden: bool | None) -> Profile:
        """Change the handle or whether the history is hidden; None leaves a setting as it is."""
        if handle is not None:
            self._refused.check(handle)
        before = await self.of_caller(caller_id)

        def changed(now: Profile) -> Profile:
            return replace(
                now,
                handle=now.handle if handle is None else handle,
                hidden=now.hidden if hidden is None else hidden,
            )

        return await self._change(before.digest, changed)

    async def block(self, caller_id: str, handle: str) -> Profile:
        """Add a player to those that the caller is not seated with."""
        other = (await self.with_handle(handle)).key
        mine = await self.of_caller(caller_id)
        if other == mine.key:
            raise InvalidRequest("handle", "is your own")

        def blocked(now: Profile) -> Profile:
            if other not in now.blocked and len(now.blocked) >= MOST_BLOCKED:
                raise TooMuch(f"you have blocked {MOST_BLOCKED} players, which is the limit", 60.0)
            return replace(now, blocked=tuple(sorted({*now.blocked, other})))

        return await self._change(mine.digest, blocked)

    async def blocked_among(self, caller_id: str, others: Collection[str]) -> set[str]:
        """Return those of the callers whom this one has blocked."""
        mine = await self.read(caller_digest(caller_id))
        if not mine.blocked:
            return set()
        profiles = [(other, await self.read(caller_digest(other))) for other in others]
        return {other for other, profile in profiles if profile.digest in mine.blocked_callers}

    async def unblock(self, caller_id: str, handle: str) -> Profile:
        """Remove a player from those that the caller is not seated with."""
        other = (await self.with_handle(handle)).digest
        mine = await self.of_caller(caller_id)

        def unblocked(now: Profile) -> Profile:
            return replace(now, blocked=tuple(each for each in now.blocked if digest_of_key(each) != other))

        return await self._change(mine.digest, unblocked)

    async def erase(self, profile: Profile) -> None:
        """Forget a profile, except for the time at which this was done."""
        now = self._clock()
        erased = await self._change(
            profile.digest, lambda then: Profile(then.digest, erased=(*then.erased, now))
        )
        assert erased.key != profile.key

    async def _change(self, digest: str, change: Callable[[Profile], Profile]) -> Profile:
        """Store what `change` makes of the newest profile.

        A new handle is claimed before, and the old one freed after it.
        """
        for _ in range(PROFILE_ATTEMPTS):
            stored, before = await self._stored(digest)
            after = change(before)
            if after == before and stored is not None:
                return before
            if after.handle and after.handle.lower() != before.handle.lower():
                await self._claim(after.handle, digest)
            put = {PROFILE: json.dumps(asdict(after)).encode()}
            written = await self._store.change_map(player_map(digest), MapChange({PROFILE: stored}, put))
            if written or (await self._stored(digest))[1] == after:
                if before.handle and before.handle.lower() != after.handle.lower():
                    await self._free(before.handle, digest)
                return after
        raise Unavailable("too many concurrent changes of this profile", retry_after=0.1)

    async def _stored(self, digest: str) -> tuple[bytes | None, Profile]:
        [value] = await self._store.map_fields(player_map(digest), [PROFILE])
        if value is None:
            return None, Profile(digest)
        fields = json.loads(value)
        return value, Profile(
            fields["digest"],
            fields["handle"],
            fields["hidden"],
            tuple(fields["erased"]),
            tuple(fields["blocked"]),
        )

    async def _owner(self, handle: str) -> str:
        """Return the digest of the caller who has claimed a handle, "" if nobody has."""
        [value] = await self._store.map_fields(handle_map(handle), [OWNER])
        return value.decode().partition(" ")[0] if value else ""

    async def _claim(self, handle: str, digest: str) -> None:
        """Claim a handle before a profile names it; raises AlreadyTaken.

        A process that dies between the two leaves a claim without a profile, which ends after CLAIM_GRACE.
        """
        mine = f"{digest} {self._clock()}".encode()
        for _ in range(PROFILE_ATTEMPTS):
            [value] = await self._store.map_fields(handle_map(handle), [OWNER])
            if value is not None and not await self._is_free(handle, value, digest):
                raise AlreadyTaken(f"another player is called {handle}")
            if await self._store.change_map(handle_map(handle), MapChange({OWNER: value}, {OWNER: mine})):
                return
        raise Unavailable("too many callers want this handle", retry_after=0.1)

    async def _is_free(self, handle: str, claim: bytes, digest: str) -> bool:
        """Whether a claim is the caller's own, or was never followed by a profile with the handle."""
        owner, _, since = claim.decode().partition(" ")
        if owner == digest:
            return True
        named = (await self.read(owner)).handle.lower() == handle.lower()
        return not named and int(since) < self._clock() - CLAIM_GRACE

    async def _free(self, handle: str, digest: str) -> None:
        [value] = await self._store.map_fields(handle_map(handle), [OWNER])
        if value is not None and value.decode().startswith(f"{digest} "):
            await self._store.change_map(handle_map(handle), MapChange({OWNER: value}, remove=[OWNER]))
