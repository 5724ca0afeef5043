import type { FieldViolation, Option, Title } from "@shedu/client";
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { useSay } from "../translation";

/** Values by name of the option, as in JSON; options left out take their defaults. */
export type OptionValues = Record<string, boolean | number | string>;

/** The options of a title, with their meanings from the catalog. */
export function OptionFields(props: {
  title: Title;
  values: OptionValues;
  choose: (values: OptionValues) => void;
  /** What the server refused. */
  violations: readonly FieldViolation[];
}): JSX.Element {
  return (
    <div class="options">
      {props.title.options.map((option) => (
        <OptionField
          title={props.title.title}
          option={option}
          value={props.values[option.name] ?? (JSON.parse(option.defaultValue) as boolean | number | string)}
          choose={(value) => props.choose({ ...props.values, [option.name]: value })}
          refused={props.violations.find(({ field }) => field.endsWith(`.${option.name}`))?.description ?? ""}
        />
      ))}
    </div>
  );
}

function OptionField(props: {
  title: string;
  option: Option;
  value: boolean | number | string;
  choose: (value: boolean | number | string) => void;
  refused: string;
}): JSX.Element {
  const say = useSay();
  const { option, value, choose } = props;
  const meaning = say(`option.${props.title}.${option.name}`, option.meaning);
  if (option.type === "bool") {
    return (
      <label class="check">
        <input type="checkbox" checked={value === true} onChange={(event) => choose(event.currentTarget.checked)} />
        {meaning}
      </label>
    );
  }
  if (option.type === "int") {
    return <NumberField meaning={meaning} value={Number(value)} choose={choose} refused={props.refused} />;
  }
  const choices = option.choices.map((choice) => JSON.parse(choice) as string);
  return (
    <label>
      {meaning}
      <select value={String(value)} onChange={(event) => choose(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option value={choice}>{say(`option.${props.title}.${option.name}.${shortName(option, choice)}`, choice)}</option>
        ))}
      </select>
    </label>
  );
}

/** The contract has whole numbers from 1 on; more than this makes no sense in any title. */
const [LEAST, MOST] = [1, 1000];

/** A whole number. What is wrong with it is said beside it, at once. */
function NumberField(props: { meaning: string; value: number; choose: (value: number) => void; refused: string }): JSX.Element {
  const say = useSay();
  const id = useId();
  const [isWrong, setWrong] = useState(false);
  const [least, most] = [String(LEAST), String(MOST)];
  const sentence = isWrong ? say("web.create.number", "Enter a whole number from {least} to {most}.", { least, most }) : props.refused;
  const take = (input: HTMLInputElement) => {
    setWrong(!input.validity.valid);
    props.choose(input.valueAsNumber);
  };
  return (
    <div class="field">
      <label>
        {props.meaning}
        <input
          type="number"
          required
          min={LEAST}
          max={MOST}
          step={1}
          value={Number.isNaN(props.value) ? "" : props.value}
          aria-invalid={sentence !== ""}
          aria-describedby={id}
          onInput={(event) => take(event.currentTarget)}
        />
      </label>
      <p id={id} class="field-error" role="alert">
        {sentence}
      </p>
    </div>
  );
}

/** Removes the prefix with the name of the enum that every enum value has in the contract. */
function shortName(option: Option, choice: string): string {
  const values = option.choices.map((value) => JSON.parse(value) as string);
  let prefix = choice;
  while (prefix && !values.every((value) => value.startsWith(prefix))) prefix = prefix.slice(0, prefix.lastIndexOf("_", prefix.length - 2) + 1);
  return choice.slice(prefix.length);
}
