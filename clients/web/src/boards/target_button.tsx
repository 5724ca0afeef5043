import type { ComponentChildren, JSX } from "preact";
import type { Targets } from "./targets";

interface TargetButtonProps {
  targets: Targets;
  /** The key of the target. */
  name: string;
  label: string;
  class?: string;
  /** The content is the accessible name; the label is only the tooltip. */
  wordy?: boolean;
  /** The content is a drawing: screen readers read the label instead. */
  drawn?: boolean;
  children?: ComponentChildren;
}

function states(targets: Targets, name: string): string {
  return (targets.lit(name) ? " lit" : "") + (targets.picked(name) ? " picked" : "");
}

/** A target beside the drawn board, as a button. */
export function TargetButton({
  targets,
  name,
  label,
  class: look = "",
  wordy = false,
  drawn = false,
  children,
}: TargetButtonProps): JSX.Element {
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

/** A target that is shown only while a choice involves it. */
export function Offer(props: TargetButtonProps): JSX.Element | null {
  if (!props.targets.known(props.name)) return null;
  return <TargetButton {...props} class={`offer ${props.class ?? ""}`} />;
}

/** An offer that consists of text. */
export function Words({ words, ...spot }: { targets: Targets; name: string; words: string }): JSX.Element | null {
  return (
    <Offer {...spot} label={words}>
      {words}
    </Offer>
  );
}
