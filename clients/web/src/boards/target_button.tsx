import type { ComponentChildren, JSX } from "preact";
import type { Targets } from "./targets";

interface TargetButtonProps {
  targets: Targets;
  /** The key of the target. */
  name: string;
  label: string;
  class?: string;
  /** Whether this is the one that was chosen, among several buttons for the same target. */
  marked?: boolean;
  /** Called when it is clicked, before the choice is made. */
  onPick?: () => void;
  /** The content is the accessible name; the label is only the tooltip. */
  wordy?: boolean;
  /** The content is a drawing: screen readers read the label instead. */
  drawn?: boolean;
  children?: ComponentChildren;
}

function states(targets: Targets, name: string, picked: boolean): string {
  return (targets.lit(name) ? " lit" : "") + (picked ? " picked" : "") + (targets.proposed(name) ? " proposed" : "");
}

/** A target beside the drawn board, as a button. */
export function TargetButton({
  targets,
  name,
  label,
  class: look = "",
  wordy = false,
  drawn = false,
  marked = true,
  onPick,
  children,
}: TargetButtonProps): JSX.Element {
  const picked = marked && targets.picked(name);
  return (
    <button
      type="button"
      class={`spot ${look}${states(targets, name, picked)}`}
      data-key={name}
      aria-label={wordy || drawn ? undefined : label}
      aria-pressed={picked}
      data-tip={label}
      onClick={() => {
        onPick?.();
        targets.point(name, label);
      }}
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
