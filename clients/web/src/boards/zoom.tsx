import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { createStore, type Store, useStore } from "../store";
import { useSay } from "../translation";

const STEP = 1.4;
const MOST = 5;
/** What a finger can hit, in pixels. */
const FINGER = 44;
/** A press that moves further than this pans the board, and is no click. */
const SLOP = 6;

/** What the buttons of the page do with the board that is open; undefined if it cannot be zoomed. */
interface Ways {
  closer: (() => void) | undefined;
  whole: (() => void) | undefined;
}

const zoomWays: Store<Ways | undefined> = createStore<Ways | undefined>(undefined);

interface Point {
  x: number;
  y: number;
}

interface Look {
  zoom: number;
  /** The point of the board to keep in place, as a share of its size, and where it is on the screen. */
  share: Point;
  at: Point;
  /** Magnified by a tap: the next tap chooses, and shows the whole board again. */
  magnified: boolean;
}

const WHOLE: Look = { zoom: 1, share: { x: 0.5, y: 0.5 }, at: { x: 0, y: 0 }, magnified: false };

function distance(one: Touch, other: Touch): number {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

/** The targets that can be chosen under a finger that touches this point. */
function underFinger(box: Element, { x, y }: Point): SVGElement[] {
  const reach = FINGER / 2;
  return [...box.querySelectorAll<SVGElement>(".cell[aria-disabled=false]")].filter((cell) => {
    const { left, right, top, bottom } = cell.getBoundingClientRect();
    return left < x + reach && right > x - reach && top < y + reach && bottom > y - reach;
  });
}

interface Zooming {
  box: { current: HTMLDivElement | null };
  look: Look;
  by(factor: number, at?: Point): void;
  whole(): void;
  click(event: MouseEvent): void;
}

function useZoom(): Zooming {
  const box = useRef<HTMLDivElement>(null);
  const [look, setLook] = useState(WHOLE);
  const latest = useRef(look);
  latest.current = look;

  const to = (zoom: number, at: Point, magnified = false): void => {
    const inner = box.current?.firstElementChild?.getBoundingClientRect();
    if (!inner) return;
    const share = { x: (at.x - inner.left) / inner.width, y: (at.y - inner.top) / inner.height };
    setLook({ zoom: Math.min(MOST, Math.max(1, zoom)), share, at, magnified });
  };
  const middle = (): Point => {
    const { left, top, width, height } = box.current?.getBoundingClientRect() ?? new DOMRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  const by = (factor: number, at = middle()): void => to(latest.current.zoom * factor, at);

  useLayoutEffect(() => keepInPlace(box.current, look), [look]);
  useEffect(() => listen(box.current, by), []);
  usePanning(box);

  const click = (event: MouseEvent): void => {
    const touched = (event as PointerEvent).pointerType === "touch";
    if (latest.current.magnified) return setLook(WHOLE);
    if (!touched || !box.current) return;
    const near = underFinger(box.current, { x: event.clientX, y: event.clientY });
    const [first] = near;
    const size = first?.getBoundingClientRect().width ?? FINGER;
    if (!first || size >= FINGER || near.includes(event.target as SVGElement) && near.length === 1) return;
    event.stopPropagation();
    if (near.length === 1) first.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else to((latest.current.zoom * FINGER * 1.1) / size, { x: event.clientX, y: event.clientY }, true);
  };
  return { box, look, by, whole: () => setLook(WHOLE), click };
}

function keepInPlace(box: HTMLElement | null, { share, at, zoom }: Look): void {
  const inner = box?.firstElementChild?.getBoundingClientRect();
  if (!box || !inner || zoom === 1) return;
  box.scrollLeft += inner.left + share.x * inner.width - at.x;
  box.scrollTop += inner.top + share.y * inner.height - at.y;
}

/** The wheel and two fingers zoom. Both would otherwise scroll or zoom the page, so the listeners are not passive. */
function listen(box: HTMLElement | null, by: (factor: number, at?: Point) => void): (() => void) | undefined {
  if (!box) return undefined;
  let apart = 0;
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    by(event.deltaY < 0 ? 1.15 : 1 / 1.15, { x: event.clientX, y: event.clientY });
  };
  const pinch = (event: TouchEvent) => {
    const [one, other] = event.touches;
    if (!one || !other) return void (apart = 0);
    event.preventDefault();
    const now = distance(one, other);
    const at = { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
    if (apart > 0) by(now / apart, at);
    apart = now;
  };
  box.addEventListener("wheel", wheel, { passive: false });
  box.addEventListener("touchmove", pinch, { passive: false });
  box.addEventListener("touchend", pinch);
  return () => {
    box.removeEventListener("wheel", wheel);
    box.removeEventListener("touchmove", pinch);
    box.removeEventListener("touchend", pinch);
  };
}

/** The mouse pans by dragging; fingers pan by the scrolling of the browser. */
function usePanning(box: { current: HTMLDivElement | null }): void {
  useEffect(() => {
    const area = box.current;
    if (!area) return;
    let from: Point | undefined;
    let moved = false;
    const down = (event: PointerEvent) => {
      from = event.pointerType === "mouse" && event.button === 0 ? { x: event.clientX, y: event.clientY } : undefined;
      moved = false;
    };
    const move = (event: PointerEvent) => {
      if (!from || !event.buttons) return;
      if (!moved && Math.hypot(event.clientX - from.x, event.clientY - from.y) < SLOP) return;
      moved = true;
      area.scrollLeft -= event.movementX;
      area.scrollTop -= event.movementY;
    };
    const click = (event: MouseEvent) => {
      if (moved) event.stopPropagation();
      moved = false;
    };
    area.addEventListener("pointerdown", down);
    area.addEventListener("pointermove", move);
    area.addEventListener("click", click, true);
    return () => {
      area.removeEventListener("pointerdown", down);
      area.removeEventListener("pointermove", move);
      area.removeEventListener("click", click, true);
    };
  }, []);
}

/** A board that fits its space, and can be zoomed and panned inside it. */
export function Zoom({ children }: { children: ComponentChildren }): JSX.Element {
  const { box, look, by, whole, click } = useZoom();
  const size = `${look.zoom * 100}%`;
  useEffect(() => zoomWays.set({ closer: look.zoom < MOST ? () => by(STEP) : undefined, whole: look.zoom > 1 ? whole : undefined }), [look]);
  useEffect(() => () => zoomWays.set(undefined), []);
  return (
    <div class={`zoom${look.zoom > 1 ? " zoomed" : ""}`}>
      <div class="zoom-box" ref={box} onClickCapture={click}>
        <div class="zoom-inner" style={{ width: size, height: size }}>
          {children}
        </div>
      </div>
    </div>
  );
}

/** The buttons that zoom, beside the other actions. */
export function ZoomButtons(): JSX.Element | null {
  const say = useSay();
  const ways = useStore(zoomWays);
  if (!ways) return null;
  return (
    <span class="zoom-ways">
      <button type="button" aria-label={say("web.zoom.in", "Zoom in")} disabled={!ways.closer} onClick={ways.closer}>
        +
      </button>
      <button type="button" aria-label={say("web.zoom.out", "Show the whole board")} disabled={!ways.whole} onClick={ways.whole}>
        −
      </button>
    </span>
  );
}
