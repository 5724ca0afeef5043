import type { Title } from "@shedu/client";
import type { JSX } from "preact";
import { useSay } from "../say";

/** How many chairs stand at the table. */
export function Seating(props: { title: Title; seats: number; choose: (seats: number) => void }): JSX.Element {
  const say = useSay();
  const { minSeats, maxSeats } = props.title;
  const counts = Array.from({ length: maxSeats - minSeats + 1 }, (_, more) => minSeats + more);
  return (
    <label>
      {say("web.create.seats", "Seats")}
      <select value={props.seats} onChange={(event) => props.choose(Number(event.currentTarget.value))}>
        {counts.map((count) => (
          <option value={count}>{count}</option>
        ))}
      </select>
    </label>
  );
}
