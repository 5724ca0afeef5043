import { type DescMessage, type Message, toJson } from "@bufbuild/protobuf";
import { type Event, EventSchema, type View, ViewSchema } from "@shedu/client";
import type { JSX } from "preact";
import "../art/boards.css";
import type { Board, BoardProps, Choice, Say } from "../board";
import { sayArgument, sayText, sentenceCase } from "../translation";
import { Words } from "./target_button";
import { type Targets, useTargets } from "./targets";

/** The board of a title that has none of its own: the view message as an outline, and the choices to point at. */
export const generic: Board = { Component: GenericBoard, describe, sentence, breakdown };

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Enums become names this way, and fields without a value are left out. */
const OPTIONS = { alwaysEmitImplicit: true };

function titleView(view: View): Json {
  const { case: name } = view.title;
  return name === undefined ? null : ((toJson(ViewSchema, view, OPTIONS) as Record<string, Json>)[name] ?? null);
}

function GenericBoard(props: BoardProps): JSX.Element {
  return (
    <div class="board generic-board">
      <div class="stage">
        <Outline value={titleView(props.view)} />
      </div>
      <Chooser {...props} />
    </div>
  );
}

/** Fields of events that are seats: the name of the player is shown. */
const SEAT_FIELDS = new Set(["attacker", "defender", "winner", "loser", "first", "startPlayer"]);

/** No more sentences than these are listed at once; before, kinds and values narrow the choices. */
const LISTED = 24;

function Chooser(props: BoardProps): JSX.Element | null {
  const targets = useTargets(props, keysOf, () => undefined);
  const { choices, chosen } = props;
  if (choices.length === 0) return null;
  return (
    <div class="dock">
      <Row targets={targets} words={kindsOf(choices)} />
      {argumentsOf(chosen).map(([name, values]) => (
        <Row key={name} targets={targets} heading={sentenceCase(wordsOf(name))} words={values} />
      ))}
      {chosen.length <= LISTED ? <Row targets={targets} words={chosen.map(sentenceTarget)} /> : null}
    </div>
  );
}

interface Target {
  key: string;
  words: string;
}

/** Buttons to point at; one alone would not narrow anything. */
function Row(props: { targets: Targets; heading?: string; words: readonly Target[] }): JSX.Element | null {
  if (props.words.length < 2 && props.heading !== undefined) return null;
  return (
    <div>
      {props.heading === undefined ? null : <h3>{props.heading}</h3>}
      <div class="offers">
        {props.words.map(({ key, words }) => (
          <Words key={key} targets={props.targets} name={key} words={words} />
        ))}
      </div>
    </div>
  );
}

function keysOf(choice: Choice): readonly string[] {
  const { text } = choice.legal;
  const values = Object.entries(text?.arguments ?? {}).map(([name, value]) => `${name}=${value}`);
  return [`choice:${choice.index}`, `kind:${kindOf(choice)}`, ...values];
}

function kindOf({ legal }: Choice): string {
  const value = legal.action?.title.value as { kind?: { case?: string } } | undefined;
  return value?.kind?.case ?? "";
}

function kindsOf(choices: readonly Choice[]): Target[] {
  const kinds = [...new Set(choices.map(kindOf))];
  return kinds.length < 2 ? [] : kinds.map((kind) => ({ key: `kind:${kind}`, words: sentenceCase(wordsOf(kind)) }));
}

function sentenceTarget({ index, legal }: Choice): Target {
  return { key: `choice:${index}`, words: sentenceCase(sayText(legal.text)) };
}

/** Every argument of the sentences with all its values, in the order of the choices. */
function argumentsOf(choices: readonly Choice[]): [string, Target[]][] {
  const found = new Map<string, Map<string, Target>>();
  for (const { legal } of choices) {
    for (const [name, value] of Object.entries(legal.text?.arguments ?? {})) {
      const values = found.get(name) ?? new Map<string, Target>();
      values.set(value, { key: `${name}=${value}`, words: sayArgument(legal.text, name) });
      found.set(name, values);
    }
  }
  return [...found].map(([name, values]) => [name, [...values.values()]]);
}

function Outline({ value }: { value: Json }): JSX.Element {
  if (Array.isArray(value) && value.every(isPlain)) return <span>{value.map(plainWords).join(", ") || "–"}</span>;
  if (Array.isArray(value)) return <ol>{value.map((item) => <li><Outline value={item} /></li>)}</ol>;
  if (isPlain(value)) return <span>{plainWords(value)}</span>;
  return (
    <dl>
      {Object.entries(value as Record<string, Json>).map(([name, part]) => (
        <div key={name}>
          <dt>{sentenceCase(wordsOf(name))}</dt>
          <dd>
            <Outline value={part} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function isPlain(value: Json): boolean {
  return typeof value !== "object" || value === null;
}

/** "startPlayer" and "START_PLAYER" become "start player". */
function wordsOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ").toLowerCase();
}

function plainWords(value: Json): string {
  if (typeof value !== "string" || !/^[A-Z][A-Z0-9_]*$/.test(value)) return String(value ?? "–");
  return wordsOf(ENUM_WORDS.get(value) ?? value);
}

/** The values of all enums by name, without the name of the enum: "CARD_ELEVEN" is "ELEVEN". */
const ENUM_WORDS = new Map<string, string>();
collectEnums(ViewSchema);
collectEnums(EventSchema);

function collectEnums(schema: DescMessage, known = new Set<DescMessage>()): void {
  if (known.has(schema)) return;
  known.add(schema);
  for (const { enum: values, message } of schema.fields) {
    for (const { name, localName } of values?.values ?? []) ENUM_WORDS.set(name, localName);
    if (message !== undefined) collectEnums(message, known);
  }
}

function describe(view: View): string {
  return lines(titleView(view)).join("\n");
}

function lines(value: Json, indent = ""): string[] {
  if (Array.isArray(value) && value.every(isPlain)) return [`${indent}${value.map(plainWords).join(", ") || "–"}`];
  if (Array.isArray(value)) return value.flatMap((item, at) => [`${indent}${at + 1}.`, ...lines(item, `${indent}  `)]);
  if (isPlain(value)) return [`${indent}${plainWords(value)}`];
  return Object.entries(value as Record<string, Json>).flatMap(([name, part]) => {
    const [only = "", ...more] = lines(part);
    const title = `${indent}${sentenceCase(wordsOf(name))}:`;
    const short = more.length === 0 && (isPlain(part) || Array.isArray(part));
    return short ? [`${title} ${only}`] : [title, ...lines(part, `${indent}  `)];
  });
}

/** "Anna: card chosen (card 5)": the name of the event and its fields, with the name of the player for a seat. */
function sentence(event: Event, names: readonly string[]): string | undefined {
  const { case: title, value } = event.kind;
  if (title === undefined) return undefined;
  const { kind } = value as unknown as { kind: { case?: string; value?: Message } };
  if (kind.case === undefined) return undefined;
  const json = toJson(EventSchema, event, OPTIONS) as Record<string, Record<string, Record<string, Json>>>;
  const { seat, ...fields } = json[title]?.[kind.case] ?? {};
  const player = typeof seat === "number" ? names[seat] : undefined;
  const details = Object.entries(fields).flatMap(([name, part]) => detail(name, part, names));
  const words = wordsOf(kind.case) + (details.length > 0 ? ` (${details.join("; ")})` : "");
  return `${player === undefined ? sentenceCase(words) : `${player}: ${words}`}.`;
}

/** Parts that are messages themselves are on the board; in a sentence they would be too long. */
function detail(name: string, part: Json, names: readonly string[]): string[] {
  const values = Array.isArray(part) ? part : [part];
  if (values.length === 0 || !values.every(isPlain)) return [];
  const player = SEAT_FIELDS.has(name) && typeof part === "number" ? names[part] : undefined;
  return [`${wordsOf(name)} ${player ?? values.map(plainWords).join(", ")}`];
}

function breakdown(view: View, names: readonly string[], say: Say) {
  const scores = view.game?.outcome?.scores;
  const rows = names.map((name, seat) => ({ name, cells: [String(scores?.[seat] ?? "")] }));
  return { columns: [say("web.finished.points", "Points")], rows };
}
