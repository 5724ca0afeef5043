import { type Game, GameStatus } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useTitle } from "../catalog";
import { linkTo, keepInvite, sitDown } from "../joining";
import type { LiveTable, Shown } from "../live";
import { namesOf } from "../names";
import { prefer, preferences } from "../preferences";
import { go } from "../router";
import { useSay } from "../say";
import { dropSeat, keptSeat } from "../seats";
import { nameOf } from "../titles";
import { ConnectionBar } from "./connection";
import { SharedLink, WatchLink } from "./links";
import { Trouble } from "./notice";
import { BotOptions } from "./seating";

interface GatheringProps {
  live: LiveTable;
  shown: Shown;
  game: Game;
  /** The seat of this browser has changed. */
  changed: () => void;
}

/** A table that waits for players. */
export function Gathering({ live, shown, game, changed }: GatheringProps): JSX.Element {
  const say = useSay();
  const mine = shown.view?.seat;
  const full = game.seats.every((seat) => seat.taken);
  return (
    <section class="panel gathering">
      <ConnectionBar shown={shown} />
      <h1>{nameOf(game.title)}</h1>
      <p role="status">
        {full
          ? say("web.gathering.full", "Everyone is here.")
          : say("web.gathering.waiting", "Waiting for players. The game starts when every seat is taken.")}
      </p>
      <ol class="chairs">
        {game.seats.map((seat) => (
          <li class={seat.taken ? "taken" : "open"}>
            {seat.taken ? namesOf(game, say)[seat.seat] : say("web.gathering.open", "free seat")}
            {seat.seat === mine ? ` (${say("web.you", "you")})` : ""}
          </li>
        ))}
      </ol>
      <SharedLink words={say("web.gathering.link", "Send this link to the others")} link={linkTo(game.gameId)} />
      <WatchLink gameId={game.gameId} />
      {mine === undefined && !full ? <JoinForm gameId={game.gameId} invite="" joined={changed} /> : null}
      {mine !== undefined ? <SeatWays live={live} game={game} full={full} changed={changed} /> : null}
    </section>
  );
}

function SeatWays(props: { live: LiveTable; game: Game; full: boolean; changed: () => void }): JSX.Element {
  const say = useSay();
  const [problem, setProblem] = useState<unknown>();
  const start = () => props.live.table.start().catch(setProblem);
  const leave = async () => {
    try {
      await props.live.table.leave();
      dropSeat(props.game.gameId);
      props.changed();
    } catch (found) {
      setProblem(found);
    }
  };
  return (
    <>
      {problem ? <Trouble problem={problem} /> : null}
      <AddBot {...props} failed={setProblem} />
      <p class="ways">
        {props.game.manualStart && props.full ? (
          <button type="button" class="primary" onClick={start}>
            {say("web.gathering.start", "Start the game")}
          </button>
        ) : null}
        {props.game.status === GameStatus.GATHERING ? (
          <button type="button" onClick={leave}>
            {say("web.gathering.leave", "Get up")}
          </button>
        ) : null}
      </p>
    </>
  );
}

/** Bots take seats that nobody wants. */
function AddBot(props: { live: LiveTable; game: Game; full: boolean; failed: (problem: unknown) => void }): JSX.Element | null {
  const say = useSay();
  const title = useTitle(props.game.title);
  const [level, setLevel] = useState("");
  if (props.full || !title || title.bots.length === 0) return null;
  const chosen = level || title.bots.find((bot) => bot.default)?.level || "";
  return (
    <p class="join">
      <label>
        {say("web.gathering.bot", "A bot for a free seat")}
        <select value={chosen} onChange={(event) => setLevel(event.currentTarget.value)}>
          <BotOptions title={title} />
        </select>
      </label>
      <button type="button" onClick={() => props.live.table.addBot(chosen).catch(props.failed)}>
        {say("web.gathering.add_bot", "Add the bot")}
      </button>
    </p>
  );
}

/** Someone followed the link to a private game, which the server shows to nobody else. */
export function Invited(props: { gameId: string; invite: string; joined: () => void }): JSX.Element {
  const say = useSay();
  return (
    <section class="panel gathering">
      <h1>{say("web.invited.title", "You are invited")}</h1>
      <p>{say("web.invited.text", "Only those who sit down may see this game.")}</p>
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
      <label>
        {say("web.name", "Your name")}
        <input name="name" autocomplete="nickname" maxLength={40} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary" disabled={busy}>
        {say("web.gathering.join", "Sit down")}
      </button>
      {problem ? <Trouble problem={problem} /> : null}
    </form>
  );
}

async function join(gameId: string, displayName: string, inviteCode: string): Promise<void> {
  if (keptSeat(gameId)) return;
  await sitDown(gameId, { displayName, inviteCode });
  keepInvite(gameId, inviteCode);
  go(`/games/${gameId}`, { replace: true });
}
