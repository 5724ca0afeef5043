import type { JSX } from "preact";
import type { Choice } from "../board";
import type { DecisionState } from "../decision";
import { sayText, sentenceCase, useSay } from "../translation";

/** Every choice as a button with text, so that everything the board offers is reachable by keyboard. */
export function ChoiceList({ deciding }: { deciding: DecisionState }): JSX.Element {
  const { chosen, pick } = deciding;
  const groups = grouped(chosen);
  return (
    <div class="choices">
      {groups.map(([kind, group]) => (
        <Group
          key={kind}
          kind={kind}
          choices={group}
          open={group.length <= MANY || groups.length === 1}
          pick={pick}
        />
      ))}
    </div>
  );
}

/** Groups with more choices are collapsed, unless there is only one group. */
const MANY = 12;

function Group(props: { kind: string; choices: readonly Choice[]; open: boolean; pick: (choice: Choice) => void }): JSX.Element {
  const say = useSay();
  const { kind, choices } = props;
  const heading = say(`group.${kind}`, words(kind));
  return (
    <details class="group" open={props.open}>
      <summary>
        {heading} <span class="count">{choices.length}</span>
      </summary>
      <ul>
        {choices.map((choice) => (
          <li key={choice.index}>
            <button type="button" class="choice" onClick={() => props.pick(choice)}>
              {sentenceCase(sayText(choice.legal.text))}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Choices by kind of action, in the order of the server. */
function grouped(choices: readonly Choice[]): [string, Choice[]][] {
  const groups = new Map<string, Choice[]>();
  for (const choice of choices) {
    const kind = kindOf(choice);
    groups.set(kind, [...(groups.get(kind) ?? []), choice]);
  }
  return [...groups];
}

function kindOf({ legal }: Choice): string {
  const title = legal.action?.title;
  return `${title?.case ?? ""}.${title?.value?.kind.case ?? ""}`;
}

function words(kind: string): string {
  const name = kind.slice(kind.indexOf(".") + 1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return sentenceCase(name);
}
