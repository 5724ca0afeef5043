import type { JSX } from "preact";
import { useSay } from "../translation";

/** The name of the player, as long as the server allows and in any script. */
export function NameField({ name, choose }: { name: string; choose: (name: string) => void }): JSX.Element {
  const say = useSay();
  return (
    <label>
      {say("web.name", "Your name")}
      <input
        name="name"
        autocomplete="nickname"
        dir="auto"
        maxLength={40}
        value={name}
        onInput={(event) => choose(event.currentTarget.value)}
      />
    </label>
  );
}
