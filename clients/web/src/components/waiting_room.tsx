import { type Game, GameStatus } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useTitle } from "../title_catalog";
import { linkTo, storeInvite, joinGame } from "../join";
import type { LiveGame, Shown } from "../live_game";
import { namesOf } from "../player_names";
import { prefer, preferences } from "../preferences";
import { go } from "../router";
import { useSay } from "../translation";
import { removeSeat, storedSeat } from "../seats";
import { nameOf } from "../title_facts";
import { SharedLink, WatchLink } from "./share_links";
import { ErrorMessage } from "./messages";
import { NameField } from "./name_field";
import { QrCode } from "./qr_code";
import { BotOptions } from "./seat_fields";

interface WaitingRoomProps {
  live: LiveGame;
  shown: Shown;
  game: Game;
  /** Called after this browser joined or left. */
  changed: () => void;
}

/** The page of a game that has not started: seats, links, join and leave. */
export function WaitingRoom({ live, shown, game, changed }: WaitingRoomProps): JSX.Element {
  const say = useSay();
  const mine = shown.view?.seat;
  const full = game.seats.every((seat) => seat.taken);
  return (
    <section class="panel gathering">
      <h1>{nameOf(game.title)}</h1>
      <p role="status">
        {full
          ? say("web.gathering.full", "All players have joined.")
          : say("web.gathering.waiting", "Waiting for players. The game starts when all seats are taken.")}
      </p>
      <ol class="chairs">
        {game.seats.map((seat) => (
          <li class={seat.taken ? "taken" : "open"}>
            {seat.taken ? namesOf(game, say)[seat.seat] : say("web.gathering.open", "free seat")}
            {seat.seat === mine ? ` (${say("web.you", "you")})` : ""}
          </li>
        ))}
      </ol>
      <SharedLink words={say("web.gathering.link", "Invite others with this link")} link={linkTo(game.gameId)} />
      {full ? null : <QrCode link={linkTo(game.gameId)} words={say("web.gathering.qr", "The invitation link as a QR code")} />}
      <WatchLink gameId={game.gameId} />
      {mine === undefined && !full ? <JoinForm gameId={game.gameId} invite="" joined={changed} /> : null}
      {mine !== undefined ? <SeatWays live={live} game={game} full={full} changed={changed} /> : null}
    </section>
  );
}

function SeatWays(props: { live: LiveGame; game: Game; full: boolean; changed: () => void }): JSX.Element {
  const say = useSay();
  const [problem, setProblem] = useState<unknown>();
  const start = () => props.live.table.start().catch(setProblem);
  const leave = async () => {
    try {
      await props.live.table.leave();
      removeSeat(props.game.gameId);
      props.changed();
    } catch (found) {
      setProblem(found);
    }
  };
  return (
    <>
      {problem ? <ErrorMessage problem={problem} /> : null}
      <AddBot {...props} failed={setProblem} />
      <p class="ways">
        {props.game.manualStart && props.full ? (
          <button type="button" class="primary" onClick={start}>
            {say("web.gathering.start", "Start game")}
          </button>
        ) : null}
        {props.game.status === GameStatus.GATHERING ? (
          <button type="button" onClick={leave}>
            {say("web.gathering.leave", "Leave")}
          </button>
        ) : null}
      </p>
    </>
  );
}

/** Adds a hosted bot to a free seat. */
function AddBot(props: { live: LiveGame; game: Game; full: boolean; failed: (problem: unknown) => void }): JSX.Element | null {
  const say = useSay();
  const title = useTitle(props.game.title);
  const [level, setLevel] = useState("");
  if (props.full || !title || title.bots.length === 0) return null;
  const chosen = level || title.bots.find((bot) => bot.default)?.level || "";
  return (
    <p class="join">
      <label>
        {say("web.gathering.bot", "Bot for a free seat")}
        <select value={chosen} onChange={(event) => setLevel(event.currentTarget.value)}>
          <BotOptions title={title} />
        </select>
      </label>
      <button type="button" onClick={() => props.live.table.addBot(chosen).catch(props.failed)}>
        {say("web.gathering.add_bot", "Add bot")}
      </button>
    </p>
  );
}

/** The page of a private game for someone with the invitation: the server shows nothing of it before joining. */
export function Invited(props: { gameId: string; invite: string; joined: () => void }): JSX.Element {
  const say = useSay();
  return (
    <section class="panel gathering">
      <h1>{say("web.invited.title", "You are invited")}</h1>
      <p>{say("web.invited.text", "This game is private. Join to see it.")}</p>
      <JoinForm {...props} />
    </section>
  );
}

function JoinForm(props: { gameId: string; invite: string; joined: () => void }): JSX.Element {
  const say = useSay();
  const [name, setName] = useState(preferences.get().name);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    prefer({ name });
    try {
      await join(props.gameId, name, props.invite);
      props.joined();
    } catch (found) {
      setProblem(found);
    }
    setBusy(false);
  };
  return (
    <form class="join" onSubmit={submit}>
      <NameField name={name} choose={setName} />
      <button type="submit" class="primary" disabled={busy}>
        {say("web.gathering.join", "Join")}
      </button>
      {problem ? <ErrorMessage problem={problem} /> : null}
    </form>
  );
}

async function join(gameId: string, displayName: string, inviteCode: string): Promise<void> {
  if (storedSeat(gameId)) return;
  await joinGame(gameId, { displayName, inviteCode });
  storeInvite(gameId, inviteCode);
  go(`/games/${gameId}`, { replace: true });
}
