import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Choice } from "../../board";
import type { Say } from "../../boards/seat_name";
import { Offer } from "../../boards/target_button";
import type { Targets } from "../../boards/targets";
import { type Amounts, amountsText, goodName, NOTHING, RESOURCES, type Resource } from "./goods";
import { atLeastKey, paymentKey, type PaymentKind } from "./keys";
import { GoodGlyph } from "./market";

interface ResourcePickerProps {
  kind: PaymentKind;
  title: string;
  choices: readonly Choice[];
  targets: Targets;
  say: Say;
}

/** With more ways to pay than this, the player picks amounts instead of a button. */
const FEW = 6;

function amountsOf(kind: PaymentKind, choice: Choice): Amounts[] {
  const title = choice.legal.action?.title;
  const action = title?.case === "stoneAge" ? title.value.kind : undefined;
  const named = { pay: "pay", feed: "feed", take: "takeResources" } as const;
  if (action?.case !== named[kind] || action.case === undefined) return [];
  return "resources" in action.value ? [action.value.resources ?? NOTHING] : [];
}

function Heap({ amounts }: { amounts: Amounts }): JSX.Element {
  return (
    <span class="heap">
      {RESOURCES.filter((resource) => amounts[resource]).map((resource) => (
        <span key={resource}>
          {amounts[resource]}
          <GoodGlyph good={resource} />
        </span>
      ))}
    </span>
  );
}

function leastKeys(kind: PaymentKind, amounts: Amounts): string[] {
  return RESOURCES.filter((resource) => amounts[resource]).map((resource) =>
    atLeastKey(kind, resource, amounts[resource]),
  );
}

interface StepperProps {
  resource: Resource;
  count: number;
  more: boolean;
  change(by: number): void;
  say: Say;
}

function Stepper({ resource, count, more, change, say }: StepperProps): JSX.Element {
  const good = goodName(resource, say);
  return (
    <span class="stepper">
      <button
        type="button"
        class="spot"
        disabled={count === 0}
        aria-label={say("board.stone_age.less", "less {good}", { good })}
        onClick={() => change(-1)}
      >
        −
      </button>
      <span class="tally">
        <b>{count}</b> <GoodGlyph good={resource} />
      </span>
      <button
        type="button"
        class={`spot${more ? " lit" : ""}`}
        disabled={!more}
        aria-label={say("board.stone_age.more", "more {good}", { good })}
        onClick={() => change(1)}
      >
        +
      </button>
    </span>
  );
}

/** Picks the amount of each resource. */
function Counter({ kind, title, choices, targets, say, all }: ResourcePickerProps & { all: readonly Amounts[] }): JSX.Element {
  const [amounts, setAmounts] = useState<Amounts>(NOTHING);
  const reach = (wished: Amounts): boolean =>
    all.some((some) => RESOURCES.every((resource) => some[resource] >= wished[resource]));
  const change = (resource: Resource, by: number): void => {
    const next = { ...amounts, [resource]: amounts[resource] + by };
    setAmounts(next);
    const keys = leastKeys(kind, next);
    if (choices.length && keys.length) targets.gather(keys, title);
  };
  return (
    <>
      {RESOURCES.filter((resource) => targets.known(atLeastKey(kind, resource, 1))).map((resource) => (
        <Stepper
          key={resource}
          resource={resource}
          count={amounts[resource]}
          more={reach({ ...amounts, [resource]: amounts[resource] + 1 })}
          change={(by) => change(resource, by)}
          say={say}
        />
      ))}
      <Offer drawn targets={targets} name={paymentKey(kind, amounts)} label={`${title}: ${amountsText(amounts, say)}`}>
        {title} <Heap amounts={amounts} />
      </Offer>
    </>
  );
}

/** All ways to pay: as buttons if there are few, else by amounts. */
export function ResourcePicker(props: ResourcePickerProps): JSX.Element | null {
  const { kind, title, choices, targets, say } = props;
  const all = choices.flatMap((choice) => amountsOf(kind, choice));
  if (all.length === 0) return null;
  return (
    <div class={`bill${all.length > FEW ? " counter" : ""}`}>
      <h3>{title}</h3>
      <div class="offers">
        {all.length > FEW ? (
          <Counter {...props} all={all} />
        ) : (
          all.map((amounts) => (
            <Offer
              drawn
              key={paymentKey(kind, amounts)}
              targets={targets}
              name={paymentKey(kind, amounts)}
              label={`${title}: ${amountsText(amounts, say)}`}
            >
              <Heap amounts={amounts} />
            </Offer>
          ))
        )}
      </div>
    </div>
  );
}
