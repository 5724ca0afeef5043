import { type Game, SheduError, type View } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { LiveTable } from "../live";
import { useSay } from "../say";
import { Trouble } from "./notice";

interface ProposalsProps {
  live: LiveTable;
  view: View;
  game: Game;
  names: readonly string[];
}

type Ask = (call: () => Promise<unknown>) => void;

function useAsking(): { ask: Ask; busy: boolean; problem: SheduError | undefined } {
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

/** What a seat may do beside answering: take back, give up, agree to stop, take the seat back from a bot. */
export function Proposals(props: ProposalsProps): JSX.Element | null {
  const { live, view, game } = props;
  const { ask, busy, problem } = useAsking();
  const seat = game.seats.find((found) => found.seat === view.seat);
  if (!seat || seat.resigned) return null;
  return (
    <>
      {seat.takenOver ? <Reclaim busy={busy} reclaim={() => ask(() => live.table.reclaim())} /> : null}
      {view.proposal ? <Proposal {...props} ask={ask} busy={busy} /> : null}
      <SeatMenu {...props} ask={ask} busy={busy} />
      {problem ? <Trouble problem={problem} /> : null}
    </>
  );
}

function Reclaim({ busy, reclaim }: { busy: boolean; reclaim: () => void }): JSX.Element {
  const say = useSay();
  return (
    <section class="panel" role="status">
      <p>{say("web.reclaim.text", "Your time was up, and a bot plays for you.")}</p>
      <button type="button" class="primary" disabled={busy} onClick={reclaim}>
        {say("web.reclaim", "Take my seat back")}
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
          ? say("web.proposal.abandon", "{name} proposes to stop without a winner.", { name })
          : say("web.proposal.undo", "{name} asks to take back.", { name })}
      </p>
      {mine ? (
        <p class="ways">
          <button type="button" class="primary" disabled={busy} onClick={() => answer(true)}>
            {say("web.proposal.agree", "Agree")}
          </button>
          <button type="button" disabled={busy} onClick={() => answer(false)}>
            {say("web.proposal.disagree", "No")}
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
          {say("web.undo", "Take back")}
        </button>
      ) : null}
      <details class="panel more-ways">
        <summary>{say("web.more", "More")}</summary>
        <p class="ways">
          {free ? null : (
            <button type="button" disabled={busy} onClick={() => ask(() => live.table.proposeUndo())}>
              {say("web.ask_undo", "Ask to take my last move back")}
            </button>
          )}
          <button type="button" disabled={busy} onClick={() => ask(() => live.table.proposeAbandon())}>
            {say("web.ask_abandon", "Propose to stop without a winner")}
          </button>
          <button type="button" disabled={busy} onClick={() => setGiving(true)}>
            {say("web.resign", "Give up")}
          </button>
        </p>
        {giving ? (
          <p class="ways" role="group" aria-label={say("web.resign", "Give up")}>
            <span>{say("web.resign.sure", "Really give up? This cannot be taken back.")}</span>
            <button type="button" class="primary" disabled={busy} onClick={() => ask(() => live.table.resign())}>
              {say("web.resign.yes", "Yes, give up")}
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
