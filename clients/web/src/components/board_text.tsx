import type { View } from "@shedu/client";
import type { JSX } from "preact";
import type { Board } from "../board";
import { useSay } from "../translation";

/** The board as text. */
export function BoardText({ board, view, names }: { board: Board; view: View; names: readonly string[] }): JSX.Element {
  const say = useSay();
  return (
    <details class="board-text">
      <summary>{say("web.board_text", "Board as text")}</summary>
      <div class="prose">{board.describe(view, names, say)}</div>
    </details>
  );
}
