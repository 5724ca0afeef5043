import { useState } from "preact/hooks";

interface EqualPieces {
  isMarked(index: number): boolean;
  mark(index: number): void;
}

/** Tells equal pieces of a hand apart: of those that are the same choice, the one that was clicked is marked. */
export function useEqualPieces(hand: readonly unknown[]): EqualPieces {
  const [last, setLast] = useState(-1);
  const isMarked = (index: number) => {
    const clicked = hand[last] === hand[index] ? last : hand.indexOf(hand[index]);
    return clicked === index;
  };
  return { isMarked, mark: setLast };
}
