import type { Option, Title } from "@shedu/client";
import type { JSX } from "preact";
import { useSay } from "../translation";

/** Values by name of the option, as in JSON; options left out take their defaults. */
export type OptionValues = Record<string, boolean | number | string>;

/** The options of a title, with their meanings from the catalog. */
export function OptionFields(props: {
  title: Title;
  values: OptionValues;
  choose: (values: OptionValues) => void;
}): JSX.Element {
  return (
    <div class="options">
      {props.title.options.map((option) => (
        <OptionField
          title={props.title.title}
          option={option}
          value={props.values[option.name] ?? (JSON.parse(option.defaultValue) as boolean | number | string)}
          choose={(value) => props.choose({ ...props.values, [option.name]: value })}
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
    return (
      <label>
        {meaning}
        <input type="number" value={Number(value)} onInput={(event) => choose(event.currentTarget.valueAsNumber || 0)} />
      </label>
    );
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

/** Removes the prefix with the name of the enum that every enum value has in the contract. */
function shortName(option: Option, choice: string): string {
  const values = option.choices.map((value) => JSON.parse(value) as string);
  let prefix = choice;
  while (prefix && !values.every((value) => value.startsWith(prefix))) prefix = prefix.slice(0, prefix.lastIndexOf("_", prefix.length - 2) + 1);
  return choice.slice(prefix.length);
}
