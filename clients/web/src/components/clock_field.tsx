import { TimeoutPolicy } from "@shedu/client";
import type { JSX } from "preact";
import { useSay } from "../translation";

/** The time controls that the form offers. */
export type ClockChoice = "none" | "minute" | "bank" | "long_bank" | "day" | "three_days";

const seconds = (count: number) => ({ seconds: BigInt(count) });
const bank = (initial: number, increment: number) =>
  ({ case: "bank", value: { initial: seconds(initial), increment: seconds(increment) } }) as const;

const CLOCKS = {
  minute: { case: "perDecision", value: seconds(60) },
  bank: bank(600, 15),
  long_bank: bank(1800, 30),
  day: { case: "days", value: 1 },
  three_days: { case: "days", value: 3 },
} as const;

export function clockOf(pace: ClockChoice, onTimeout: TimeoutPolicy) {
  return pace === "none" ? {} : { clock: { kind: CLOCKS[pace], onTimeout } };
}

interface ClockFieldProps {
  pace: ClockChoice;
  onTimeout: TimeoutPolicy;
  choose: (changed: { pace?: ClockChoice; onTimeout?: TimeoutPolicy }) => void;
}

export function ClockField({ pace, onTimeout, choose }: ClockFieldProps): JSX.Element {
  const say = useSay();
  const paces: Record<ClockChoice, string> = {
    none: say("web.pace.none", "No clock"),
    minute: say("web.pace.minute", "1 minute per decision"),
    bank: say("web.pace.bank", "10 minutes + 15 seconds per decision"),
    long_bank: say("web.pace.long_bank", "30 minutes + 30 seconds per decision"),
    day: say("web.pace.day", "1 day per decision"),
    three_days: say("web.pace.three_days", "3 days per decision"),
  };
  return (
    <>
      <label>
        {say("web.create.clock", "Clock")}
        <select value={pace} onChange={(event) => choose({ pace: event.currentTarget.value as ClockChoice })}>
          {Object.entries(paces).map(([name, words]) => (
            <option value={name}>{words}</option>
          ))}
        </select>
      </label>
      {pace === "none" ? null : (
        <label>
          {say("web.create.timeout", "When time is up")}
          <select value={onTimeout} onChange={(event) => choose({ onTimeout: Number(event.currentTarget.value) })}>
            <option value={TimeoutPolicy.TAKE_OVER}>{say("web.timeout.take_over", "a bot plays until the player returns")}</option>
            <option value={TimeoutPolicy.FORFEIT}>{say("web.timeout.forfeit", "the player loses the game")}</option>
          </select>
        </label>
      )}
    </>
  );
}
