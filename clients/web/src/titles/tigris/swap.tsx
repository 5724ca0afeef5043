import type { tigris } from "@shedu/client";
import type { JSX } from "preact";
import { Token } from "../../art/token";
import { useState } from "preact/hooks";
import { Offer } from "../../boards/target_button";
import { COLOURS, tileName } from "./colours";
import { discardKey } from "./keys";
import { Tile } from "./pieces";
import type { TrayProps } from "./tray";

/** At least so many of each colour. */
function goingKeys(hand: readonly tigris.Colour[], taken: ReadonlySet<number>): string[] {
  return COLOURS.flatMap((colour) => {
    const count = hand.filter((other, index) => other === colour && taken.has(index)).length;
    return count ? [`discard:${colour}:${count}`] : [];
  });
}

/** Selects the tiles to swap: a click adds a tile or removes it again. */
export function Swap({ view, seat, targets, say }: TrayProps): JSX.Element {
  const hand = [...(view.players[seat]?.hand ?? [])].sort();
  const [taken, take] = useState<ReadonlySet<number>>(new Set());
  const counts = COLOURS.map((colour) => hand.filter((other, index) => other === colour && taken.has(index)).length);
  const [red = 0, blue = 0, green = 0, black = 0] = counts;

  function toggle(index: number, colour: tigris.Colour): void {
    const next = new Set(taken);
    if (!next.delete(index)) next.add(index);
    take(next);
    targets.gather(goingKeys(hand, next), tileName(colour, say));
  }

  return (
    <div class="tokens">
        {hand.map((colour, index) => (
          <button
            key={index}
            type="button"
            class={`spot lit${taken.has(index) ? " picked" : ""}`}
            aria-pressed={taken.has(index)}
            aria-label={say("board.tigris.give_away", "Discard: {tile}", { tile: tileName(colour, say) })}
            onClick={() => toggle(index, colour)}
          >
            <Token>
              <Tile colour={colour} />
            </Token>
          </button>
        ))}
        <Offer
          class="swap-offer"
          targets={targets}
          name={discardKey({ red, blue, green, black })}
          label={say("board.tigris.swap_these", "Swap these: {count}", { count: String(taken.size) })}
        >
          ⇄ {taken.size}
        </Offer>
    </div>
  );
}
