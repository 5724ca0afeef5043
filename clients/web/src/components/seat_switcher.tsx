import type { JSX } from "preact";
import { useSay } from "../translation";
import { storeSeat, storedSeat } from "../seats";

interface SeatSwitcherProps {
  gameId: string;
  names: readonly string[];
  /** The seats that have an open decision. */
  asked: readonly number[];
  changed: () => void;
}

/** Chooses the seat to play in a sandbox, where this browser has all seats. */
export function SeatSwitcher({ gameId, names, asked, changed }: SeatSwitcherProps): JSX.Element | null {
  const say = useSay();
  const kept = storedSeat(gameId);
  if (!kept?.seatTokens) return null;
  const sit = (seat: number) => {
    const seatToken = kept.seatTokens?.[seat];
    if (seatToken === undefined) return;
    storeSeat({ ...kept, seat, seatToken });
    changed();
  };
  const other = asked.find((seat) => seat !== kept.seat);
  return (
    <section class="hot-seat">
      <label>
        {say("web.sandbox.seat", "Sandbox: play as")}
        <select value={kept.seat} onChange={(event) => sit(Number(event.currentTarget.value))}>
          {names.map((name, seat) => (
            <option value={seat}>{name}</option>
          ))}
        </select>
      </label>
      {other !== undefined && !asked.includes(kept.seat) ? (
        <button type="button" class="primary" onClick={() => sit(other)}>
          {say("web.sandbox.next", "Continue as {name}", { name: names[other] ?? "" })}
        </button>
      ) : null}
    </section>
  );
}
