import type { tigris } from "@shedu/client";
import type { JSX } from "preact";
import { Token } from "../../art/token";
import type { Say } from "../../boards/seat_name";
import { Offer, Words } from "../../boards/target_button";
import type { Targets } from "../../boards/targets";
import { COLOURS, leaderName, look, monumentName, pointName } from "./colours";
import { Monument } from "./pieces";

interface OffersProps {
  view: tigris.View;
  targets: Targets;
  say: Say;
}

function Monuments({ view, targets, say }: OffersProps): JSX.Element {
  return (
    <>
      {view.board?.unusedMonuments.map((monument) => (
        <Offer key={monument} targets={targets} name={`monument:${monument}`} label={monumentName(monument, say)}>
          <Token side={80}>
            <Monument monument={monument} />
          </Token>
        </Offer>
      ))}
    </>
  );
}

/** Actions of the chosen leader, if it is on the board. */
function Orders({ targets, say }: OffersProps): JSX.Element {
  const pointed = COLOURS.filter((colour) => targets.picked(`leader:${colour}`) && targets.known(`withdraw:${colour}`));
  return (
    <>
      {pointed.map((colour) => {
        const leader = leaderName(colour, say);
        return (
          <>
            <Words
              targets={targets}
              name={`move:${colour}`}
              words={say("board.tigris.move", "Move the {leader}", { leader })}
            />
            <Words
              targets={targets}
              name={`withdraw:${colour}`}
              words={say("board.tigris.withdraw", "Withdraw the {leader}", { leader })}
            />
          </>
        );
      })}
    </>
  );
}

function Colours({ targets, say }: OffersProps): JSX.Element {
  return (
    <>
      {COLOURS.map((colour) => {
        const { class: name, Picture } = look(colour);
        return (
          <Offer key={colour} targets={targets} name={`colour:${colour}`} class={name} label={pointName(colour, say)}>
            <span class="sphere-ink">
              <Picture />
            </span>
            {pointName(colour, say)}
          </Offer>
        );
      })}
    </>
  );
}

function Wars({ targets, say }: OffersProps): JSX.Element {
  return (
    <>
      {COLOURS.map((colour) => {
        const words = say("board.tigris.fight", "War of the leaders: {leader}", { leader: leaderName(colour, say) });
        return <Words key={colour} targets={targets} name={`war:${colour}`} words={words} />;
      })}
    </>
  );
}

/** Choices that are not a space of the map. */
export function Offers(props: OffersProps): JSX.Element {
  const { targets, say } = props;
  return (
    <div class="offers">
      <Monuments {...props} />
      <Orders {...props} />
      <Wars {...props} />
      <Colours {...props} />
      <Words targets={targets} name="wonder" words={say("board.tigris.build_wonder", "Build the wonder")} />
      <Words targets={targets} name="decline" words={say("board.tigris.decline", "Build nothing")} />
      <Words targets={targets} name="swap" words={say("board.tigris.swap", "Swap tiles")} />
      <Words targets={targets} name="end" words={say("board.tigris.end_turn", "End the turn")} />
    </div>
  );
}
