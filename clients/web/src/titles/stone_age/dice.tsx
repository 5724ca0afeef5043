import type { stoneAge } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Axe, Die, Field } from "./goods_art";
import { TribeMark } from "./people";
import { nameOf, type Say } from "../../boards/seat_name";
import { Offer } from "../../boards/target_button";
import type { Targets } from "../../boards/targets";
import { DIVISORS, goodName, goodOf, RESOURCES } from "./goods";
import { toolsKey } from "./keys";
import { GoodGlyph } from "./market";

interface DiceProps {
  view: stoneAge.View;
  names: readonly string[];
  targets: Targets;
  say: Say;
}

function Dice({ faces }: { faces: readonly number[] }): JSX.Element {
  return (
    <span class="dice" aria-hidden="true">
      {faces.map((face, index) => (
        <Die key={index} face={face} />
      ))}
    </span>
  );
}

interface Handle {
  key: string;
  value: number;
  label: string;
}

/** The tools that may be added, each by itself. */
function handles(player: stoneAge.PlayerView, say: Say): Handle[] {
  const tools = player.tools.map(({ value }, space) => ({
    key: `tool:${space}`,
    value,
    label: say("board.stone_age.tool_of", "tool of value {value}", { value: String(value) }),
  }));
  const once = player.oneUseTools.map((value) => ({
    key: `once:${value}`,
    value,
    label: say("board.stone_age.once_of", "one-use tool of value {value}", { value: String(value) }),
  }));
  return [...tools, ...once];
}

function numbers(taken: ReadonlySet<string>, kind: string): number[] {
  return [...taken].filter((key) => key.startsWith(kind)).map((key) => Number(key.slice(kind.length)));
}

function Tools({
  player,
  task,
  targets,
  say,
}: {
  player: stoneAge.PlayerView;
  task: stoneAge.AddingTools;
  targets: Targets;
  say: Say;
}): JSX.Element {
  const [taken, take] = useState<ReadonlySet<string>>(new Set());
  const possible = handles(player, say).filter(({ key }) => targets.known(key));
  const good = goodOf(task.good);
  const sum = task.sum + possible.filter(({ key }) => taken.has(key)).reduce((added, { value }) => added + value, 0);
  const gained = Math.floor(sum / DIVISORS[good]);
  const toggle = ({ key, label }: Handle): void => {
    const next = new Set(taken);
    if (!next.delete(key)) next.add(key);
    take(next);
    targets.gather([...next], label);
  };
  const outcome = say("board.stone_age.roll_result", "{sum}: take {count} {good}", {
    sum: String(sum),
    count: String(gained),
    good: goodName(good, say),
  });
  return (
    <div class="offers">
      {possible.map((handle) => (
        <button
          key={handle.key}
          type="button"
          class={`spot offer lit${taken.has(handle.key) ? " picked" : ""}`}
          aria-pressed={taken.has(handle.key)}
          aria-label={handle.label}
          onClick={() => toggle(handle)}
        >
          <Axe />+{handle.value}
        </button>
      ))}
      <Offer drawn targets={targets} name={toolsKey(numbers(taken, "tool:"), numbers(taken, "once:"))} label={outcome}>
        {sum} ÷ {DIVISORS[good]} = {gained} <GoodGlyph good={good} />
      </Offer>
    </div>
  );
}

/** Dice just rolled for a good, and the tools that may be added. */
function Roll({ task, view, names, targets, say }: DiceProps & { task: stoneAge.AddingTools }): JSX.Element {
  const player = view.players[task.seat];
  const good = goodOf(task.good);
  return (
    <section
      class="slab roll pop"
      aria-label={say("board.stone_age.rolled", "{name} rolled {sum} for {good}", {
        name: nameOf(names, task.seat),
        sum: String(task.sum),
        good: goodName(good, say),
      })}
    >
      <div class="roll-head">
        <TribeMark seat={task.seat} name={nameOf(names, task.seat)} />
        <Dice faces={task.faces} />
        <b>{task.sum}</b> ÷ {DIVISORS[good]} <GoodGlyph good={good} />
      </div>
      {player && view.seat === task.seat && <Tools player={player} task={task} targets={targets} say={say} />}
    </section>
  );
}

function Prize({ face, say }: { face: number; say: Say }): JSX.Element {
  const good = RESOURCES[face - 1];
  if (good) return <GoodGlyph good={good} />;
  return face === 5 ? (
    <>
      <Axe />
      <span class="unshown">{say("board.stone_age.upper.tool", "a tool")}</span>
    </>
  ) : (
    <Field />
  );
}

/** Dice rolled for all, of which each takes one. */
function ForAll({ task, names, targets, say }: DiceProps & { task: stoneAge.TakingDice }): JSX.Element {
  const waiting = task.seats.map((seat) => nameOf(names, seat)).join(", ");
  const title = say("board.stone_age.dice_for_all", "A die for everyone: {names}", { names: waiting });
  return (
    <section class="slab roll pop" aria-label={title}>
      <h3>{title}</h3>
      <div class="offers">
        {task.faces.map((face, index) => (
          <Offer
            key={index}
            targets={targets}
            name={`die:${face}`}
            label={say("board.stone_age.take_die", "Take the {face}", { face: String(face) })}
          >
            <Die face={face} /> <Prize face={face} say={say} />
          </Offer>
        ))}
        {task.faces.every((face) => !targets.known(`die:${face}`)) && <Dice faces={task.faces} />}
      </div>
    </section>
  );
}

/** The dice on the table, if there are any. */
export function DicePanel(props: DiceProps): JSX.Element | null {
  const task = props.view.agenda.at(-1)?.kind;
  switch (task?.case) {
    case "addingTools":
      return <Roll {...props} task={task.value} />;
    case "takingDice":
      return <ForAll {...props} task={task.value} />;
    default:
      return null;
  }
}
