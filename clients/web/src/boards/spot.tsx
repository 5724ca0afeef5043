import type { ComponentChildren, JSX } from "preact";
import type { Targets } from "./targets";

interface SpotProps {
  targets: Targets;
  /** What of the board this is, as the choices name it. */
  name: string;
  label: string;
  class?: string;
  /** What it shows is its name; the label only adds to it. */
  wordy?: boolean;
  /** What it shows is a drawing with figures in it: the label is read in its place. */
  drawn?: boolean;
  children?: ComponentChildren;
}

function states(targets: Targets, name: string): string {
  return (targets.lit(name) ? " lit" : "") + (targets.picked(name) ? " picked" : "");
}

/** Something beside the drawn board that can be pointed at. */
export function Spot({
  targets,
  name,
  label,
  class: look = "",
  wordy = false,
  drawn = false,
  children,
}: SpotProps): JSX.Element {
  return (
    <button
      type="button"
      class={`spot ${look}${states(targets, name)}`}
      aria-label={wordy || drawn ? undefined : label}
      aria-pressed={targets.picked(name)}
      title={label}
      onClick={() => targets.point(name, label)}
      onPointerEnter={(event) => event.pointerType !== "touch" && targets.hover(name, label)}
      onPointerLeave={() => targets.hover("", "")}
    >
      {drawn && <span class="unshown">{label}</span>}
      {drawn ? (
        <span class="drawn" aria-hidden="true">
          {children}
        </span>
      ) : (
        children
      )}
    </button>
  );
}

/** The same, shown only while there is a choice to make with it. */
export function Offer(props: SpotProps): JSX.Element | null {
  if (!props.targets.known(props.name)) return null;
  return <Spot {...props} class={`offer ${props.class ?? ""}`} />;
}

/** An offer that is nothing but words. */
export function Words({ words, ...spot }: { targets: Targets; name: string; words: string }): JSX.Element | null {
  return (
    <Offer {...spot} label={words}>
      {words}
    </Offer>
  );
}
