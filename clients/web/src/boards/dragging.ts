import { useEffect } from "preact/hooks";

/** A press that moves further than this is a drag, and no click. */
const SLOP = 8;

interface Drag {
  piece: HTMLElement;
  x: number;
  y: number;
  /** The picture that follows the pointer, once it moves. */
  picture: HTMLElement | undefined;
}

function follow({ picture }: Drag, event: PointerEvent): void {
  if (!picture) return;
  picture.style.left = `${event.clientX}px`;
  picture.style.top = `${event.clientY}px`;
}

/** The start of a drag is a click on the piece, so that the board lights up where it can go. */
function begin(drag: Drag): void {
  if (drag.piece.getAttribute("aria-pressed") !== "true") drag.piece.click();
  drag.picture = drag.piece.cloneNode(true) as HTMLElement;
  drag.picture.className = "dragged";
  drag.picture.setAttribute("aria-hidden", "true");
  document.body.append(drag.picture);
}

/** The end of a drag is a click on what lies below the pointer, if it can be chosen. */
function drop(drag: Drag, event: PointerEvent): void {
  const below = document.elementFromPoint(event.clientX, event.clientY);
  const target = below?.closest(".cell[aria-disabled=false], .board-area .spot.lit");
  if (target && target !== drag.piece) target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}

/** Lets the player drag pieces of the hand to their place, as another way of the two clicks. */
export function useDragging(): void {
  useEffect(() => {
    let drag: Drag | undefined;
    const down = (event: PointerEvent) => {
      const piece = event.button === 0 && (event.target as Element).closest<HTMLElement>(".dock .tokens .spot.lit, .tide-spot.lit");
      drag = piece ? { piece, x: event.clientX, y: event.clientY, picture: undefined } : undefined;
    };
    const move = (event: PointerEvent) => {
      if (!drag) return;
      if (!drag.picture && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SLOP) begin(drag);
      follow(drag, event);
    };
    const end = (event: PointerEvent) => {
      drag?.picture?.remove();
      if (drag?.picture && event.type === "pointerup") drop(drag, event);
      drag = undefined;
    };
    const listeners = { pointerdown: down, pointermove: move, pointerup: end, pointercancel: end };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener as EventListener);
    };
  }, []);
}
