import { type Game, type Seat, SheduError, type View } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { LiveGame } from "../live_game";
import { useSay } from "../translation";
import { ErrorMessage } from "./messages";

interface ProposalsProps {
  live: LiveGame;
  view: View;
  game: Game;
  names: readonly string[];
}

type Ask = (call: () => Promise<unknown>) => void;

export function useCall(): Calls {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<SheduError | undefined>();
  const ask: Ask = (call) => {
    setBusy(true);
    setProblem(undefined);
    call()
      .catch((found) => setProblem(SheduError.from(found)))
      .finally(() => setBusy(false));
  };
  return { ask, busy, problem };
}

export interface Calls {
  ask: Ask;
  busy: boolean;
  problem: SheduError | undefined;
}

/** Open proposals, the way back from a bot, and what went wrong with them. */
export function ProposalNotices(props: ProposalsProps & { calls: Calls }): JSX.Element | null {
  const { live, view, calls } = props;
  const seat = ownSeat(props);
  if (!seat || seat.resigned) return null;
  const { ask, busy, problem } = calls;
  return (
    <>
      {seat.takenOver ? <Reclaim busy={busy} reclaim={() => ask(() => live.table.reclaim())} /> : null}
      {view.proposal ? <Proposal {...props} ask={ask} busy={busy} /> : null}
      {problem ? <ErrorMessage problem={problem} /> : null}
    </>
  );
}

function ownSeat({ view, game }: ProposalsProps): Seat | undefined {
  return game.seats.find((found) => found.seat === view.seat);
}

function Reclaim({ busy, reclaim }: { busy: boolean; reclaim: () => void }): JSX.Element {
  const say = useSay();
  return (
    <section class="panel" role="status">
      <p>{say("web.reclaim.text", "You ran out of time. A bot is playing for you.")}</p>
      <button type="button" class="primary" disabled={busy} onClick={reclaim}>
        {say("web.reclaim", "Take back my seat")}
      </button>
    </section>
  );
}

function Proposal({ live, view, names, ask, busy }: ProposalsProps & { ask: Ask; busy: boolean }): JSX.Element | null {
  const say = useSay();
  const { proposal } = view;
  if (!proposal) return null;
  const name = names[proposal.seat] ?? "";
  const mine = view.seat !== undefined && proposal.waitingFor.includes(view.seat);
  const waiting = proposal.waitingFor.map((seat) => names[seat]).join(", ");
  const answer = (accept: boolean) => ask(() => live.table.answerProposal(proposal.proposalId, accept));
  return (
    <section class="panel proposal" role="status">
      <p>
        {proposal.kind.case === "abandon"
          ? say("web.proposal.abandon", "{name} offers to end the game without a winner.", { name })
          : say("web.proposal.undo", "{name} asks to undo a move.", { name })}
      </p>
      {mine ? (
        <p class="ways">
          <button type="button" class="primary" disabled={busy} onClick={() => answer(true)}>
            {say("web.proposal.agree", "Accept")}
          </button>
          <button type="button" disabled={busy} onClick={() => answer(false)}>
            {say("web.proposal.disagree", "Decline")}
          </button>
        </p>
      ) : (
        <p class="facts">{say("web.waiting.for", "Waiting for {name}", { name: waiting })}</p>
      )}
    </section>
  );
}

/** What a player may do besides deciding: ask for an undo, offer to end the game, resign. */
export function SeatMenu(props: ProposalsProps & { calls: Calls }): JSX.Element | null {
  const say = useSay();
  const { live, view } = props;
  const { ask, busy } = props.calls;
  const [giving, setGiving] = useState(false);
  if (ownSeat(props)?.resigned !== false) return null;
  return (
    <div class="seat-menu">
      <p class="ways">
        {view.undoToVersion !== undefined ? null : (
          <button type="button" disabled={busy} onClick={() => ask(() => live.table.proposeUndo())}>
            {say("web.ask_undo", "Ask to undo my last move")}
          </button>
        )}
        <button type="button" disabled={busy} onClick={() => ask(() => live.table.proposeAbandon())}>
          {say("web.ask_abandon", "Offer to end without a winner")}
        </button>
        <button type="button" disabled={busy} onClick={() => setGiving(true)}>
          {say("web.resign", "Resign")}
        </button>
      </p>
      {giving ? <Resignation busy={busy} resign={() => ask(() => live.table.resign())} back={() => setGiving(false)} /> : null}
    </div>
  );
}

function Resignation({ busy, resign, back }: { busy: boolean; resign: () => void; back: () => void }): JSX.Element {
  const say = useSay();
  return (
    <p class="ways" role="group" aria-label={say("web.resign", "Resign")}>
      <span>{say("web.resign.sure", "Resign? This cannot be undone.")}</span>
      <button type="button" class="primary" disabled={busy} onClick={resign}>
        {say("web.resign.yes", "Yes, resign")}
      </button>
      <button type="button" onClick={back}>
        {say("web.back", "Back")}
      </button>
    </p>
  );
}
