import type { tigrisCards } from "@shedu/client";
import type { JSX } from "preact";
import { CardToken, Token } from "../../art/token";
import type { Say } from "../../boards/seat_name";
import { Offer, TargetButton, Words } from "../../boards/target_button";
import { useEqualPieces } from "../../boards/equal_pieces";
import type { Targets } from "../../boards/targets";
import { Catastrophe, Leader } from "../tigris/pieces";
import { Civilization, Ship } from "./cards";
import { COLOURS, colourName, leaderOf, shipName, sphere } from "./colours";
import { standingOf } from "./keys";

export interface TrayProps {
  view: tigrisCards.View;
  seat: number;
  targets: Targets;
  say: Say;
}

function Cards({ view, targets, say }: TrayProps): JSX.Element {
  const hand = [...view.hand].sort();
  const { isMarked, mark } = useEqualPieces(hand);
  return (
    <div class="tokens">
      {hand.map((colour, index) => (
        <TargetButton
          key={index}
          targets={targets}
          name={`hand:${colour}`}
          label={colourName(colour, say)}
          marked={isMarked(index)}
          onPick={() => mark(index)}
        >
          <CardToken>
            <Civilization colour={colour} />
          </CardToken>
        </TargetButton>
      ))}
    </div>
  );
}

function Leaders({ view, seat, targets, say }: TrayProps): JSX.Element {
  const standing = standingOf(view);
  return (
    <>
      {COLOURS.map((colour) => {
        const away = standing.has(colour);
        const leader = leaderOf(colour, say);
        const place = away
          ? say("board.tigris_cards.on_table", "on the table")
          : say("board.tigris_cards.at_home", "off the table");
        const label = say("board.tigris.own_leader", "{leader}, {place}", { leader, place });
        return (
          <TargetButton key={colour} targets={targets} name={`leader:${colour}`} label={label} class={away ? "away" : ""}>
            <Token>
              <Leader colour={sphere(colour)} seat={seat} />
            </Token>
            <span class="token-note">{leader}</span>
          </TargetButton>
        );
      })}
    </>
  );
}

function Offers({ view, targets, say }: TrayProps): JSX.Element {
  return (
    <div class="offers">
      {view.ships.map((ship) => (
        <Offer key={ship} targets={targets} name={`ship:${ship}`} label={shipName(ship, say)}>
          <CardToken>
            <Ship ship={ship} />
          </CardToken>
        </Offer>
      ))}
      {COLOURS.map((colour) => (
        <Words
          key={`conflict ${colour}`}
          targets={targets}
          name={`conflict:${colour}`}
          words={say("board.tigris_cards.fight", "Conflict: {leader}", { leader: leaderOf(colour, say) })}
        />
      ))}
      {COLOURS.filter((colour) => targets.picked(`leader:${colour}`)).map((colour) => (
        <Words
          key={`withdraw ${colour}`}
          targets={targets}
          name={`withdraw:${colour}`}
          words={say("board.tigris.withdraw", "Withdraw the {leader}", { leader: leaderOf(colour, say) })}
        />
      ))}
      {COLOURS.map((colour) => (
        <Words
          key={`income ${colour}`}
          targets={targets}
          name={`income:${colour}`}
          words={say("board.tigris_cards.income", "Onto the pile: {card}", { card: colourName(colour, say) })}
        />
      ))}
      <Words targets={targets} name="take" words={say("board.tigris_cards.take_point", "Put a card onto the pile")} />
      <Words targets={targets} name="decline" words={say("board.tigris_cards.decline", "Decline")} />
      <Words targets={targets} name="end" words={say("board.tigris.end_turn", "End the turn")} />
    </div>
  );
}

/** The player's cards, leaders and calamity, and choices that are not on the table. */
export function Tray(props: TrayProps): JSX.Element {
  const { view, seat, targets, say } = props;
  return (
    <section class="dock tray" aria-label={say("board.tigris_cards.tray", "Your cards and leaders")}>
      <Cards {...props} />
      <div class="tokens">
        <Leaders {...props} />
        {view.calamities[seat] && (
          <TargetButton targets={targets} name="calamity" label={say("board.tigris_cards.calamity", "Calamity")}>
            <Token>
              <Catastrophe />
            </Token>
            <span class="token-note">{say("board.tigris_cards.calamity", "Calamity")}</span>
          </TargetButton>
        )}
      </div>
      <Offers {...props} />
    </section>
  );
}
