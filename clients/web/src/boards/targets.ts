import { useMemo } from "preact/hooks";
import type { BoardProps, Choice } from "../board";

/** Names everything on the board that a choice involves, e.g. "space:3,4". */
export type KeysOf = (choice: Choice) => readonly string[];

/** What can be pointed at now. The board asks it, and holds no rules of its own. */
export interface Targets {
  /** Something may still be chosen here. */
  lit(key: string): boolean;
  /** Everything still possible involves this, and something was pointed at. */
  picked(key: string): boolean;
  /** Some choice involves this, whatever was pointed at so far. */
  known(key: string): boolean;
  point(key: string, label: string): void;
}

type Index = ReadonlyMap<string, readonly Choice[]>;

export function indexed(choices: readonly Choice[], keysOf: KeysOf): Index {
  const index = new Map<string, Choice[]>();
  for (const choice of choices) {
    for (const key of new Set(keysOf(choice))) {
      const known = index.get(key);
      if (known) known.push(choice);
      else index.set(key, [choice]);
    }
  }
  return index;
}

export function useTargets(props: BoardProps, keysOf: KeysOf): Targets {
  const { choices, chosen, narrow, refuse } = props;
  const all = useMemo(() => indexed(choices, keysOf), [choices, keysOf]);
  const left = useMemo(() => indexed(chosen, keysOf), [chosen, keysOf]);
  return useMemo(() => {
    const narrowed = chosen.length < choices.length;
    return {
      lit: (key) => left.has(key),
      picked: (key) => narrowed && chosen.length > 0 && left.get(key)?.length === chosen.length,
      known: (key) => all.has(key),
      point(key, label) {
        const possible = left.get(key) ?? all.get(key);
        if (possible) narrow(possible);
        else refuse(label);
      },
    };
  }, [all, left, choices, chosen, narrow, refuse]);
}
