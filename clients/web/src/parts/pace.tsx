import { TimeoutPolicy } from "@shedu/client";
import type { JSX } from "preact";
import { useSay } from "../say";

/** How much time there is to decide. */
export type Pace = "none" | "minute" | "bank" | "long_bank" | "day" | "three_days";

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

export function clockOf(pace: Pace, onTimeout: TimeoutPolicy) {
  return pace === "none" ? {} : { clock: { kind: CLOCKS[pace], onTimeout } };
}

interface PaceFieldProps {
  pace: Pace;
  onTimeout: TimeoutPolicy;
  choose: (changed: { pace?: Pace; onTimeout?: TimeoutPolicy }) => void;
}

export function PaceField({ pace, onTimeout, choose }: PaceFieldProps): JSX.Element {
  const say = useSay();
  const paces: Record<Pace, string> = {
    none: say("web.pace.none", "No clock"),
    minute: say("web.pace.minute", "One minute for each decision"),
    bank: say("web.pace.bank", "10 minutes, and 15 seconds for each decision"),
    long_bank: say("web.pace.long_bank", "30 minutes, and 30 seconds for each decision"),
    day: say("web.pace.day", "One day for each decision"),
    three_days: say("web.pace.three_days", "Three days for each decision"),
  };
  return (
    <>
      <label>
        {say("web.create.clock", "Clock")}
        <select value={pace} onChange={(event) => choose({ pace: event.currentTarget.value as Pace })}>
          {Object.entries(paces).map(([name, words]) => (
            <option value={name}>{words}</option>
          ))}
        </select>
      </label>
      {pace === "none" ? null : (
        <label>
          {say("web.create.timeout", "When time is up")}
          <select value={onTimeout} onChange={(event) => choose({ onTimeout: Number(event.currentTarget.value) })}>
            <option value={TimeoutPolicy.TAKE_OVER}>{say("web.timeout.take_over", "a bot plays until the player is back")}</option>
            <option value={TimeoutPolicy.FORFEIT}>{say("web.timeout.forfeit", "the player gives up")}</option>
          </select>
        </label>
      )}
    </>
  );
}
