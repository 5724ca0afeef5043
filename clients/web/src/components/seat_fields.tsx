import type { Title } from "@shedu/client";
import type { JSX } from "preact";
import { useSay } from "../translation";

/** By seat: the level of its bot, or an empty string for a player. */
export type Plan = readonly string[];

export function openPlan(title: Title): Plan {
  return Array.from({ length: title.minSeats }, () => "");
}

/** The number of seats, and which of them bots take. The first seat is the player's own. */
export function SeatFields(props: { title: Title; plan: Plan; choose: (plan: Plan) => void }): JSX.Element {
  const say = useSay();
  const { title, plan, choose } = props;
  const counts = Array.from({ length: title.maxSeats - title.minSeats + 1 }, (_, more) => title.minSeats + more);
  const resize = (count: number) => choose(Array.from({ length: count }, (_, seat) => plan[seat] ?? ""));
  const put = (seat: number, level: string) => choose(plan.map((one, at) => (at === seat ? level : one)));
  return (
    <>
      {counts.length > 1 ? (
        <label>
          {say("web.create.seats", "Number of players")}
          <select value={plan.length} onChange={(event) => resize(Number(event.currentTarget.value))}>
            {counts.map((count) => (
              <option value={count}>{count}</option>
            ))}
          </select>
        </label>
      ) : null}
      {title.bots.length > 0
        ? plan.map((level, seat) =>
            seat === 0 ? null : <Chair title={title} seat={seat} level={level} put={(found) => put(seat, found)} />,
          )
        : null}
    </>
  );
}

function Chair(props: { title: Title; seat: number; level: string; put: (level: string) => void }): JSX.Element {
  const say = useSay();
  const number = String(props.seat + 1);
  return (
    <label>
      {say("web.create.chair", "Seat {number}", { number })}
      <select value={props.level} onChange={(event) => props.put(event.currentTarget.value)}>
        <option value="">{say("web.create.person", "player")}</option>
        <BotOptions title={props.title} />
      </select>
    </label>
  );
}

export function BotOptions({ title }: { title: Title }): JSX.Element {
  const say = useSay();
  return (
    <>
      {title.bots.map((bot) => (
        <option value={bot.level}>
          {say("web.bot", "bot, {level}", { level: levelName(bot.level, say) })}: {say(`bot.${bot.level}`, bot.meaning)}
        </option>
      ))}
    </>
  );
}

export function levelName(level: string, say: ReturnType<typeof useSay>): string {
  return say(`bot.level.${level}`, level.replaceAll("_", " "));
}
