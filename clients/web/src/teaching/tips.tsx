import type { View } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type LoadedTeaching, useTeaching } from "./teaching";

/** How long the mouse rests, or a finger presses, before the sentence comes. */
const REST_MILLISECONDS = 450;
/** A finger that moves further pans the board. */
const SLOP = 10;
const GAP = 8;

interface Tip {
  target: Element;
  label: string;
  /** By key of the board, such as "place:3". */
  key: string;
}

interface Press {
  x: number;
  y: number;
  isLong: boolean;
}

function tipOf(target: EventTarget | null): Tip | undefined {
  const element = target instanceof Element ? target.closest("[data-tip]") : null;
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return undefined;
  return { target: element, label: element.dataset["tip"] ?? "", key: element.dataset["key"] ?? "" };
}

/** Calls back with what is pointed at, focused by the keyboard or pressed for long; with undefined when that ends. */
function listen(show: (tip: Tip | undefined) => void): () => void {
  const ended = new AbortController();
  const options = { signal: ended.signal, capture: true };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pressed: Press | undefined;
  const later = (tip: Tip | undefined, then: () => void = () => undefined): void => {
    clearTimeout(timer);
    if (tip) timer = setTimeout(() => [show(tip), then()], REST_MILLISECONDS);
  };
  const hide = (): void => {
    clearTimeout(timer);
    show(undefined);
  };
  const on = <Name extends keyof DocumentEventMap>(name: Name, listener: (event: DocumentEventMap[Name]) => void): void =>
    document.addEventListener(name, listener, options);
  on("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const tip = tipOf(event.target);
    if (!tip) return hide();
    later(tip);
  });
  on("focusin", ({ target }) => {
    if (target instanceof Element && target.matches(":focus-visible")) show(tipOf(target));
  });
  on("focusout", hide);
  on("pointerdown", (event) => {
    hide();
    const press: Press = { x: event.clientX, y: event.clientY, isLong: false };
    pressed = press;
    if (event.pointerType === "touch") later(tipOf(event.target), () => (press.isLong = true));
  });
  on("pointermove", (event) => {
    if (event.pointerType !== "touch" || !pressed || pressed.isLong) return;
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > SLOP) clearTimeout(timer);
  });
  on("pointerup", () => pressed?.isLong || clearTimeout(timer));
  on("pointercancel", () => pressed?.isLong || hide());
  // A long press asks what something is: it neither chooses it nor opens the menu of the browser.
  on("click", (event) => {
    if (pressed?.isLong) [event.stopPropagation(), event.preventDefault()];
    pressed = undefined;
  });
  on("contextmenu", (event) => pressed?.isLong && event.preventDefault());
  on("keydown", ({ key }) => key === "Escape" && hide());
  return () => {
    clearTimeout(timer);
    ended.abort();
  };
}

/** A sentence about each place, card, tile and leader that is pointed at, focused or pressed for long. */
export function Tips({ title, view }: { title: string; view: View }): JSX.Element | null {
  const teaching = useTeaching(title);
  const [tip, show] = useState<Tip | undefined>();
  useEffect(() => listen(show), []);
  if (!tip?.target.isConnected) return null;
  return <TipCard tip={tip} sentences={teaching ? sentencesOf(teaching, tip.key, view) : []} />;
}

function sentencesOf(teaching: LoadedTeaching, key: string, view: View): string[] {
  return [...new Set(teaching.about?.(key, view))].flatMap((about) => teaching.texts.legend[about] ?? []);
}

function TipCard({ tip, sentences }: { tip: Tip; sentences: readonly string[] }): JSX.Element {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (card.current) place(card.current, tip.target.getBoundingClientRect());
    tip.target.setAttribute("aria-describedby", "tip");
    return () => tip.target.removeAttribute("aria-describedby");
  }, [tip, sentences.join()]);
  return (
    <div class="tip" id="tip" role="tooltip" ref={card}>
      <b>{tip.label}</b>
      {sentences.map((sentence) => (
        <span key={sentence}>{sentence}</span>
      ))}
    </div>
  );
}

/** Above the target or, without room, below it, and never beyond the screen. */
function place(card: HTMLElement, target: DOMRect): void {
  const { width, height } = card.getBoundingClientRect();
  const left = Math.min(Math.max(GAP, target.left + target.width / 2 - width / 2), innerWidth - width - GAP);
  const above = target.top - height - GAP;
  const top = above > GAP ? above : Math.min(target.bottom + GAP, innerHeight - height - GAP);
  // A transform is no shift of the layout.
  card.style.transform = `translate(${left}px, ${top}px)`;
}
