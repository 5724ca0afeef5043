import type { SeatClock, View } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useSay } from "../translation";
import { announce } from "./announcer";

/** Counts down from the remaining time that the server sent, so the clocks of browser and server may differ. */
export function useCountdown(view: View, seat: number): { left: number; runs: boolean } | undefined {
  const clock = view.clocks.find((found) => found.seat === seat);
  const [elapsed, setElapsed] = useState(0);
  const runs = clock?.deadline !== undefined;
  useEffect(() => {
    setElapsed(0);
    if (!runs) return;
    const since = performance.now();
    const timer = setInterval(() => setElapsed(performance.now() - since), 500);
    return () => clearInterval(timer);
  }, [view, runs]);
  return clock && { left: Math.max(0, remaining(clock) - (runs ? elapsed : 0)), runs };
}

function remaining(clock: SeatClock): number {
  return Number(clock.remaining?.seconds ?? 0n) * 1000 + (clock.remaining?.nanos ?? 0) / 1_000_000;
}

const PRESSING = 30_000;

export function Clock({ view, seat }: { view: View; seat: number }): JSX.Element | null {
  const say = useSay();
  const time = useCountdown(view, seat);
  const pressing = time !== undefined && time.runs && time.left < PRESSING;
  useEffect(() => {
    if (pressing && seat === view.seat) announce(say("web.clock.pressing", "Your time is almost up."));
  }, [pressing]);
  if (!time) return null;
  return (
    <span class={`clock ${pressing ? "pressing" : ""}`} role="timer" aria-label={say("web.clock.left", "Time left")}>
      {time.runs ? "● " : ""}
      {shortTime(time.left)}
    </span>
  );
}

export function shortTime(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  const two = (count: number) => String(count).padStart(2, "0");
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
