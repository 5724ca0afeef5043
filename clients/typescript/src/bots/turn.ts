import { Code } from "@connectrpc/connect";
import { SheduError } from "../errors.js";
import type { Decision, View } from "../gen/shedu/v1/game_pb.js";
import type { LegalAction } from "../gen/shedu/v1/game_service_pb.js";
import type { Table } from "../table.js";

/** A seat of a game, as `Shedu.join` returns it. */
export interface Seated {
  readonly seat: number;
  readonly table: Table;
}

/** A decision of a seat, with the view of the seat and every legal action. */
export interface Turn extends Seated {
  readonly view: View;
  readonly decision: Decision;
  readonly actions: readonly LegalAction[];
}

/** Returns what a seat has to decide; undefined if nothing, also because the game is over. */
export async function turnOf({ seat, table }: Seated): Promise<Turn | undefined> {
  for (;;) {
    const view = await table.view();
    if (!view.decisions.some((decision) => decision.seat === seat)) return undefined;
    try {
      const { decision, actions, version } = await table.legalActions();
      if (decision === undefined) return undefined;
      if (version === view.version) return { seat, table, view, decision, actions };
    } catch (problem) {
      if (isOver(problem)) return undefined;
      throw problem;
    }
  }
}

/** Takes the seat back if a bot took it over when time was up, and the game still goes on. */
export async function reclaim({ seat, table }: Seated): Promise<void> {
  if (!(await table.game()).seats[seat]?.takenOver) return;
  try {
    await table.reclaim();
  } catch (problem) {
    if (!isOver(problem)) throw problem; // else another process was faster, too
  }
}

/** Whether the game is not in the state for a call, such as one that has ended. */
export function isOver(problem: unknown): boolean {
  const { code, isRefusal } = SheduError.from(problem);
  return code === Code.FailedPrecondition && !isRefusal;
}
