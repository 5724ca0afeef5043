import { useEffect, useRef } from "preact/hooks";

interface Commands {
  /** Back to all choices. */
  clear(): void;
  undo: (() => void) | undefined;
}

const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

function litSpots(): HTMLElement[] {
  const near = [...document.querySelectorAll<HTMLElement>(".pop .spot.lit, .dock .spot.lit")];
  return near.length > 0 ? near : [...document.querySelectorAll<HTMLElement>(".board-area .spot.lit")];
}

/** A digit chooses that piece or button; then the focus is where the piece can go. */
function chooseSpot(digit: number): void {
  const spot = litSpots()[digit - 1];
  if (!spot) return;
  spot.focus();
  spot.click();
  setTimeout(() => {
    if (document.activeElement === spot) document.querySelector<SVGElement>(".cell[tabindex='0'][aria-disabled=false]")?.focus();
  }, 50);
}

/** The nearest button that can be chosen in the direction of an arrow key. */
function moveFocus(from: HTMLElement, [right, down]: readonly [number, number]): void {
  const at = from.getBoundingClientRect();
  let [found, least]: [HTMLElement | undefined, number] = [undefined, Infinity];
  for (const spot of document.querySelectorAll<HTMLElement>(".board-area .spot.lit")) {
    const { x, y, width, height } = spot.getBoundingClientRect();
    const across = x + width / 2 - at.x - at.width / 2;
    const below = y + height / 2 - at.y - at.height / 2;
    const ahead = across * right + below * down;
    const distance = ahead + 3 * Math.abs(right ? below : across);
    if (ahead > 1 && distance < least) [found, least] = [spot, distance];
  }
  found?.focus();
}

/** Typing the name of a space, such as "o8", moves the focus there. */
function focusNamed(name: string): void {
  document.querySelector<SVGElement>(`.cell[data-name="${name}"]`)?.focus();
}

const FORGET_MILLISECONDS = 1500;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, select, textarea");
}

/** Keys of the table: digits choose pieces, the name of a space goes there, arrows move, Escape goes back, U undoes. */
export function useShortcuts(commands: Commands): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    let typed = { name: "", at: 0 };
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const { key } = event;
      const step = ARROWS[key];
      const spot = (event.target as Element).closest?.<HTMLElement>(".board-area .spot");
      const name = event.timeStamp - typed.at < FORGET_MILLISECONDS ? typed.name : "";
      if (step && spot) moveFocus(spot, step);
      else if (key === "Escape") return latest.current.clear();
      else if (/^[0-9]$/.test(key) && name) focusNamed((typed = { name: name + key, at: event.timeStamp }).name);
      else if (/^[1-9]$/.test(key)) chooseSpot(Number(key));
      else if (/^[a-z]$/i.test(key) && document.querySelector(`.cell[data-name^="${key.toUpperCase()}"]`))
        typed = { name: key.toUpperCase(), at: event.timeStamp };
      else if (key === "u" || key === "U") latest.current.undo?.();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
