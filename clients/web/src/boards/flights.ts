import type { Event } from "@shedu/client";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { preferences } from "../preferences";

const MILLISECONDS = 550;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Lets the pieces that another player has just placed fly from that player's name to their place. */
export function useFlights(area: RefObject<HTMLElement>, happened: readonly Event[], own: number | undefined): void {
  useLayoutEffect(() => {
    const seat = happened[0]?.seat;
    if (seat === undefined || seat === own || calm.matches || preferences.get().atOnce || document.hidden) return;
    const from = document.querySelector(`.players .seat-${seat}`)?.getBoundingClientRect();
    const pieces = area.current?.querySelectorAll<SVGGraphicsElement>(".drop") ?? [];
    if (from) for (const piece of pieces) fly(piece, from);
  }, [happened]);
}

/** A copy of the piece flies over the page, because the board would cut it off; the piece itself shows when it is there. */
function fly(piece: SVGGraphicsElement, from: DOMRect): void {
  // The animation of pieces that drop onto their place would move the place itself.
  piece.style.animation = "none";
  const to = piece.getBoundingClientRect();
  const copy = copyOf(piece, to);
  const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
  const scale = Math.min(1, 24 / Math.max(1, to.width));
  const start = { transform: `translate(${x}px, ${y}px) scale(${scale})` };
  const timing = { duration: MILLISECONDS, easing: "cubic-bezier(0.3, 0.7, 0.3, 1)" };
  piece.animate([{ opacity: 0 }, { opacity: 0, offset: 0.96 }, { opacity: 1 }], MILLISECONDS);
  copy.animate([start, { transform: "none" }], timing).finished.then(
    () => copy.remove(),
    () => copy.remove(),
  );
}

function copyOf(piece: SVGGraphicsElement, to: DOMRect): HTMLElement {
  const copy = document.createElement("div");
  // The colours of pieces depend on the classes of their board.
  copy.className = `${piece.closest(".board")?.className ?? ""} flying`;
  copy.setAttribute("aria-hidden", "true");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const { x, y, width, height } = piece.getBBox();
  svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  const inner = piece.cloneNode(true) as SVGGraphicsElement;
  inner.removeAttribute("class");
  svg.append(inner);
  copy.append(svg);
  Object.assign(copy.style, { left: `${to.left}px`, top: `${to.top}px`, width: `${to.width}px`, height: `${to.height}px` });
  document.body.append(copy);
  return copy;
}
