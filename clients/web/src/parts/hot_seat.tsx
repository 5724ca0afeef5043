import type { JSX } from "preact";
import { useSay } from "../say";
import { keepSeat, keptSeat } from "../seats";

interface HotSeatProps {
  gameId: string;
  names: readonly string[];
  /** Whom the game waits for. */
  asked: readonly number[];
  changed: () => void;
}

/** In a sandbox all seats are one's own: choose whose eyes to look through. */
export function HotSeat({ gameId, names, asked, changed }: HotSeatProps): JSX.Element | null {
  const say = useSay();
  const kept = keptSeat(gameId);
  if (!kept?.seatTokens) return null;
  const sit = (seat: number) => {
    const seatToken = kept.seatTokens?.[seat];
    if (seatToken === undefined) return;
    keepSeat({ ...kept, seat, seatToken });
    changed();
  };
  const other = asked.find((seat) => seat !== kept.seat);
  return (
    <section class="panel hot-seat">
      <label>
        {say("web.sandbox.seat", "This is a sandbox. You play")}
        <select value={kept.seat} onChange={(event) => sit(Number(event.currentTarget.value))}>
          {names.map((name, seat) => (
            <option value={seat}>{name}</option>
          ))}
        </select>
      </label>
      {other !== undefined && !asked.includes(kept.seat) ? (
        <button type="button" class="primary" onClick={() => sit(other)}>
          {say("web.sandbox.next", "Go on as {name}", { name: names[other] ?? "" })}
        </button>
      ) : null}
    </section>
  );
}
