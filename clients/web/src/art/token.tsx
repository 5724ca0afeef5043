import type { JSX } from "preact";

/** A piece on its own, beside the board. */
export function Token({ children, side = 40 }: { children: JSX.Element; side?: number }): JSX.Element {
  return (
    <svg class="token" viewBox={`0 0 ${side} ${side}`} aria-hidden="true">
      {children}
    </svg>
  );
}

/** The same for a card lying on its long side. */
export function CardToken({ children }: { children: JSX.Element }): JSX.Element {
  return (
    <svg class="token card-token" viewBox="-1 -1 82 52" aria-hidden="true">
      {children}
    </svg>
  );
}
