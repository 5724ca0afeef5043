import { TITLES } from "shedu:titles";
import type { Board } from "../board";
import { titles } from "../title_catalog";
import { loadTitleTexts } from "../translation";

/** The board of a title with its texts. What the title does not have of its own is taken from the generic board. */
export async function boardOf(title: string): Promise<Board> {
  const parts = TITLES.get(title);
  const [own] = await Promise.all([parts?.board?.(), loadTitleTexts(title), parts?.facts ? undefined : loadCatalog()]);
  return isComplete(own) ? own : { ...(await import("./generic")).generic, ...own };
}

function isComplete(board: Partial<Board> = {}): board is Board {
  return [board.Component, board.describe, board.sentence, board.breakdown].every((part) => part !== undefined);
}

/** Only the server's catalog knows the name of a title without facts; the board does not depend on it. */
async function loadCatalog(): Promise<void> {
  await titles().catch(() => undefined);
}
