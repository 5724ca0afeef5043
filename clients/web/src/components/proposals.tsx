import { type Game, SheduError, type View } from "@shedu/client";
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

function useCall(): { ask: Ask; busy: boolean; problem: SheduError | undefined } {
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

/** What a player may do besides deciding: undo, resign, end the game by agreement, take the seat back from a bot. */
export function Proposals(props: ProposalsProps): JSX.Element | null {
  const { live, view, game } = props;
  const { ask, busy, problem } = useCall();
  const seat = game.seats.find((found) => found.seat === view.seat);
  if (!seat || seat.resigned) return null;
  return (
    <>
      {seat.takenOver ? <Reclaim busy={busy} reclaim={() => ask(() => live.table.reclaim())} /> : null}
      {view.proposal ? <Proposal {...props} ask={ask} busy={busy} /> : null}
      <SeatMenu {...props} ask={ask} busy={busy} />
      {problem ? <ErrorMessage problem={problem} /> : null}
    </>
  );
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

function SeatMenu({ live, view, ask, busy }: ProposalsProps & { ask: Ask; busy: boolean }): JSX.Element {
  const say = useSay();
  const [giving, setGiving] = useState(false);
  const free = view.undoToVersion !== undefined;
  return (
    <div class="seat-menu">
      {free ? (
        <button type="button" disabled={busy} onClick={() => ask(() => live.table.proposeUndo(view.undoToVersion))}>
          {say("web.undo", "Undo")}
        </button>
      ) : null}
      <details class="panel more-ways">
        <summary>{say("web.more", "More")}</summary>
        <p class="ways">
          {free ? null : (
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
        {giving ? (
          <p class="ways" role="group" aria-label={say("web.resign", "Resign")}>
            <span>{say("web.resign.sure", "Resign? This cannot be undone.")}</span>
            <button type="button" class="primary" disabled={busy} onClick={() => ask(() => live.table.resign())}>
              {say("web.resign.yes", "Yes, resign")}
            </button>
            <button type="button" onClick={() => setGiving(false)}>
              {say("web.back", "Back")}
            </button>
          </p>
        ) : null}
      </details>
    </div>
  );
}
