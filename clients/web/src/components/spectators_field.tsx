import { SpectatorPolicy } from "@shedu/client";
import type { JSX } from "preact";
import { useSay } from "../translation";

/** The spectator policies that the form offers. */
export type SpectatorsChoice = "public" | "late" | "token" | "none";

const LATE = 20;

export const SPECTATORS = {
  late: { policy: SpectatorPolicy.PUBLIC, delay: LATE },
  token: { policy: SpectatorPolicy.TOKEN },
  none: { policy: SpectatorPolicy.NONE },
} as const;

export function SpectatorsField(props: { value: SpectatorsChoice; choose: (value: SpectatorsChoice) => void }): JSX.Element {
  const say = useSay();
  const names: Record<SpectatorsChoice, string> = {
    public: say("web.spectators.public", "Everyone who can find the game"),
    late: say("web.spectators.late", "Everyone who can find the game, {count} events later", { count: String(LATE) }),
    token: say("web.spectators.token", "Everyone with the spectator link"),
    none: say("web.spectators.none", "Nobody"),
  };
  return (
    <label>
      {say("web.create.spectators", "Spectators")}
      <select value={props.value} onChange={(event) => props.choose(event.currentTarget.value as SpectatorsChoice)}>
        {Object.entries(names).map(([name, words]) => (
          <option value={name}>{words}</option>
        ))}
      </select>
    </label>
  );
}
