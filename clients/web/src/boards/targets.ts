import { useMemo, useRef } from "preact/hooks";
import type { Attempt, BoardProps, Choice } from "../board";

/** Names everything on the board that a choice involves, e.g. "space:3,4". */
export type KeysOf = (choice: Choice) => readonly string[];

/** The action that pointing there stands for, where the board can tell. */
export type Meant = (key: string, targets: Pick<Targets, "picked">, choices: readonly Choice[]) => Attempt | undefined;

/** What can be pointed at now. The board asks it, and holds no rules of its own. */
export interface Targets {
  /** There is something to choose. */
  readonly asked: boolean;
  /** Something was pointed at. */
  readonly narrowed: boolean;
  /** Something may still be chosen here. */
  lit(key: string): boolean;
  /** Everything still possible involves this, and something was pointed at. */
  picked(key: string): boolean;
  /** Some choice involves this, whatever was pointed at so far. */
  known(key: string): boolean;
  point(key: string, label: string): void;
  /** The pointer is there, without pressing; an empty key for nowhere. */
  hover(key: string, label: string): void;
  /** Points at several things together, whatever was pointed at before. */
  gather(keys: readonly string[], label: string): void;
  /** Points once more at what was pointed at last. */
  insist(): void;
}

type Index = ReadonlyMap<string, ReadonlySet<Choice>>;

export function indexed(choices: readonly Choice[], keysOf: KeysOf): Index {
  const index = new Map<string, Set<Choice>>();
  for (const choice of choices) {
    for (const key of keysOf(choice)) {
      const known = index.get(key);
      if (known) known.add(choice);
      else index.set(key, new Set([choice]));
    }
  }
  return index;
}

export function useTargets(props: BoardProps, keysOf: KeysOf, meant: Meant): Targets {
  const { choices, chosen } = props;
  const latest = useRef(props);
  latest.current = props;
  const all = useMemo(() => indexed(choices, keysOf), [choices, keysOf]);
  const left = useMemo(() => (chosen === choices ? all : indexed(chosen, keysOf)), [chosen, all, keysOf]);
  return useMemo(() => {
    const narrowed = chosen.length < choices.length;
    const picked = (key: string): boolean => narrowed && chosen.length > 0 && left.get(key)?.size === chosen.length;
    const attempt = (key: string): Attempt | undefined => (choices.length ? meant(key, { picked }, choices) : undefined);
    const answer = (possible: readonly Choice[], label: string, key = ""): void => {
      if (possible.length) latest.current.narrow(possible);
      else latest.current.refuse(label, attempt(key));
    };
    return {
      asked: choices.length > 0,
      narrowed,
      lit: (key) => left.has(key),
      picked,
      known: (key) => all.has(key),
      point: (key, label) => answer([...(left.get(key) ?? all.get(key) ?? [])], label, key),
      hover: (key, label) => latest.current.hover(label, left.has(key) ? undefined : attempt(key)),
      gather: (keys, label) =>
        answer(
          choices.filter((choice) => keys.every((key) => all.get(key)?.has(choice))),
          label,
        ),
      insist: () => latest.current.narrow(chosen),
    };
  }, [all, left]);
}
