import { type Event, type Game, GameStatus, type View } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Board } from "../board";
import { storeGivenSeat } from "../join";
import { namesOf } from "../player_names";
import { useRequest } from "../components/use_request";
import { BoardText } from "../components/board_text";
import { Known, Sheet } from "../components/side_panel";
import { EventLog } from "../components/event_log";
import { Loading, ErrorMessage } from "../components/messages";
import { go, Link } from "../router";
import { useSay } from "../translation";
import { sentenceOf } from "../event_sentences";
import { tableOf } from "../server";
import { nameOf } from "../title_facts";
import { Outdated, useBoard } from "./game";

interface GameRecord {
  game: Game;
  events: Event[];
}

/** The versions at which the replay stops: the last event of each cause. */
function stopsOf(events: readonly Event[]): bigint[] {
  return events.filter((event) => !event.continues).map((event) => event.version);
}

export function ReplayPage({ gameId, version }: { gameId: string; version: bigint | undefined }): JSX.Element {
  const say = useSay();
  const table = useMemo(() => tableOf(gameId), [gameId]);
  const asked = useRequest<GameRecord>(
    async (signal) => ({ game: await table.game(signal), events: await table.events({ signal }) }),
    [gameId],
  );
  const board = useBoard(asked.answer?.game.title);
  if (asked.problem) {
    return (
      <ErrorMessage problem={asked.problem} again={asked.again}>
        <Link to="/lobby" class="button">
          {say("web.to_lobby", "Go to the lobby")}
        </Link>
      </ErrorMessage>
    );
  }
  if (board === "missing") return <Outdated />;
  if (!asked.answer || !board) return <Loading />;
  return <Replay {...asked.answer} board={board} version={version} />;
}

interface ReplayProps extends GameRecord {
  board: Board;
  version: bigint | undefined;
}

function Replay({ game, events, board, version }: ReplayProps): JSX.Element {
  const say = useSay();
  const stops = useMemo(() => stopsOf(events), [events]);
  const names = namesOf(game, say);
  const last = stops.at(-1) ?? 1n;
  const here = stops.findLast((stop) => stop <= (version ?? last)) ?? stops[0] ?? 1n;
  const [sheet, setSheet] = useState(false);
  const [eyes, setEyes] = useState<number | undefined>();
  const { view, problem, again } = useViewAt(game.gameId, here, eyes);
  const at = stops.indexOf(here);
  const happened = events.filter((event) => event.version <= here && event.version > (stops[at - 1] ?? 0n));
  const past = useMemo(() => events.filter((event) => event.version <= here), [events, here]);
  const told = happened.map((event) => sentenceOf(event, names, board, say)).filter(Boolean);
  const jump = (version: bigint) => go(`/games/${game.gameId}/replay#version=${version}`, { replace: true });
  const move = (index: number) => go(`/games/${game.gameId}/replay#version=${stops[index] ?? here}`, { replace: true });
  return (
    <div class="shell replay">
      <header class="table-head">
        <h1>{nameOf(game.title)}</h1>
        <section class="asking">
          <h2 class="prompt">{say("web.replay.title", "Replay")}</h2>
          <p class="caption">{told.join(" ") || "\u00a0"}</p>
        </section>
        <div class="ways">
          <Sandbox gameId={game.gameId} version={here} />
          <Link to={`/games/${game.gameId}`} class="button">
            {say("web.replay.leave", "Back to the game")}
          </Link>
        </div>
      </header>
      <section class="board-area" aria-label={say("web.board", "Board")}>
        {view?.title.value ? (
          <board.Component
            view={view}
            seat={view.seat}
            names={names}
            choices={[]}
            chosen={[]}
            narrow={nothing}
            insist={nothing}
            refuse={nothing}
            hover={nothing}
            happened={happened}
            recent={happened}
            say={say}
          />
        ) : (
          <p class="empty">{view ? say("web.replay.before", "The game has not started at this point.") : "…"}</p>
        )}
      </section>
      <aside class="side">
        {view?.title.value ? <Known board={board} view={view} names={names} /> : null}
        <Sheet open={sheet} close={() => setSheet(false)}>
          {problem ? <ErrorMessage problem={problem} again={again} /> : null}
          {game.status === GameStatus.FINISHED ? <Eyes names={names} eyes={eyes} choose={setEyes} /> : null}
          <EventLog events={past} names={names} board={board} at={here} jump={jump} />
          {view ? <BoardText board={board} view={view} names={names} /> : null}
        </Sheet>
      </aside>
      <Slider stops={stops} at={at} move={move} told={told.join(" ")} openSheet={() => setSheet(true)} />
    </div>
  );
}

function nothing(): void {
  // A replay only shows.
}

/** Caches views; shows the previous one while the next is loading. */
function useViewAt(gameId: string, version: bigint, asSeat: number | undefined) {
  const kept = useRef(new Map<string, View>());
  const key = `${version}/${asSeat ?? ""}`;
  const asked = useRequest(
    async (signal) => {
      const eyes = asSeat === undefined ? {} : { asSeat };
      const view = kept.current.get(key) ?? (await tableOf(gameId).view({ version, signal, ...eyes }));
      kept.current.set(key, view);
      return view;
    },
    [gameId, key],
  );
  return { view: asked.answer, problem: asked.problem, again: asked.again };
}

interface SliderProps {
  stops: readonly bigint[];
  at: number;
  move: (index: number) => void;
  told: string;
  openSheet: () => void;
}

function Slider(props: SliderProps): JSX.Element {
  const say = useSay();
  const { stops, at, move } = props;
  const last = stops.length - 1;
  const words = say("web.replay.step", "Step {step} of {steps}", { step: String(at + 1), steps: String(stops.length) });
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return;
    if (at >= last) return setPlaying(false);
    const timer = setTimeout(() => move(at + 1), 1200);
    return () => clearTimeout(timer);
  }, [playing, at]);
  return (
    <section class="actions slider">
      <label>
        <span>{words}</span>
        <input
          type="range"
          min={0}
          max={last}
          value={at}
          aria-valuetext={`${words}. ${props.told}`}
          onInput={(event) => move(Number(event.currentTarget.value))}
        />
      </label>
      <p class="ways">
        <button type="button" disabled={at <= 0} onClick={() => move(0)} aria-label={say("web.replay.first", "First step")}>
          «
        </button>
        <button type="button" disabled={at <= 0} onClick={() => move(at - 1)}>
          {say("web.replay.back", "Previous")}
        </button>
        <button type="button" onClick={() => setPlaying(!playing)}>
          {playing ? say("web.replay.pause", "Pause") : say("web.replay.play", "Play")}
        </button>
        <button type="button" disabled={at >= last} onClick={() => move(at + 1)}>
          {say("web.replay.next", "Next")}
        </button>
        <button type="button" disabled={at >= last} onClick={() => move(last)} aria-label={say("web.replay.last", "Last step")}>
          »
        </button>
        <button type="button" class="open-sheet" aria-label={say("web.sheet", "Log and more")} onClick={props.openSheet}>
          {say("web.log", "Log")} …
        </button>
      </p>
    </section>
  );
}

/** Forks the game at this version into a sandbox. */
function Sandbox({ gameId, version }: { gameId: string; version: bigint }): JSX.Element {
  const say = useSay();
  const [problem, setProblem] = useState<unknown>();
  const open = async () => {
    try {
      const { game, seatTokens } = await tableOf(gameId).fork(version);
      if (!game) return;
      storeGivenSeat(game, 0, seatTokens[0] ?? "", seatTokens);
      go(`/games/${game.gameId}`);
    } catch (found) {
      setProblem(found);
    }
  };
  return (
    <>
      <button type="button" onClick={open}>
        {say("web.sandbox.open", "Open a sandbox from here")}
      </button>
      {problem ? <ErrorMessage problem={problem} /> : null}
    </>
  );
}

/** Chooses the seat whose view is shown; after the end the reveal policy may allow any. */
function Eyes(props: { names: readonly string[]; eyes: number | undefined; choose: (seat: number | undefined) => void }): JSX.Element {
  const say = useSay();
  return (
    <section class="eyes">
      <label>
        {say("web.replay.eyes", "View as")}
        <select
          value={props.eyes ?? ""}
          onChange={({ currentTarget: { value } }) => props.choose(value === "" ? undefined : Number(value))}
        >
          <option value="">{say("web.replay.own", "myself")}</option>
          {props.names.map((name, seat) => (
            <option value={seat}>{name}</option>
          ))}
        </select>
      </label>
    </section>
  );
}
