import { tigris, type tigrisCards } from "@shedu/client";
import type { JSX } from "preact";
import { Leader, Strength, Treasure } from "../tigris/pieces";
import { look } from "../tigris/colours";
import { faceColour, faceShip, secondColour, sphere } from "./colours";
import { CARD } from "./places";

const HULL = "M10 33h60c-3 9-10 12-16 12H26c-6 0-13-3-16-12z";

export function Civilization({ colour }: { colour: tigrisCards.Colour }): JSX.Element {
  const { class: name, Picture } = look(sphere(colour));
  return (
    <g class={`tile ${name}`}>
      <rect {...CARD} rx="6" class="tile-body" />
      <rect {...CARD} rx="6" class="tile-weave" />
      <path d="M6 2h68" class="tile-shine" />
      <Picture x={5} y={9} size={32} />
    </g>
  );
}

export function Ship({ ship }: { ship: tigrisCards.Ship }): JSX.Element {
  const blue = look(tigris.Colour.BLUE);
  const second = look(sphere(secondColour(ship)));
  return (
    <g class="ship">
      <rect {...CARD} rx="6" class="ship-sea" />
      <path d="M40 4v28M14 46q6-4 12 0t12 0 12 0 12 0 12 0" class="ship-rig" />
      <path d="M38 6v24H18c9-5 16-13 20-24z" class={`ship-sail ${blue.class}`} />
      <path d="M42 6v24h20C53 25 46 17 42 6z" class={`ship-sail ${second.class}`} />
      <path d={HULL} class="ship-hull" />
      <g class="ship-signs">
        <blue.Picture x={25} y={33} size={11} />
        <second.Picture x={44} y={33} size={11} />
      </g>
    </g>
  );
}

function TreasureCard(): JSX.Element {
  return (
    <g class="treasure-card">
      <rect {...CARD} rx="6" class="tile-body" />
      <rect x="3" y="3" width="74" height="44" rx="4" class="treasure-frame" />
      <g transform="translate(-20 5.5) scale(1.5)">
        <Treasure />
      </g>
    </g>
  );
}

export function Face({ face }: { face: tigrisCards.Face }): JSX.Element {
  const colour = faceColour(face);
  const ship = faceShip(face);
  if (colour !== undefined) return <Civilization colour={colour} />;
  return ship === undefined ? <TreasureCard /> : <Ship ship={ship} />;
}

/** A card on the table, with the leader on it. */
export function TableCard({ card, strength }: { card: tigrisCards.Card; strength?: number | undefined }): JSX.Element {
  return (
    <>
      <Face face={card.face} />
      {card.leader && (
        <g transform="translate(38 4) scale(1.04)">
          <Leader colour={sphere(card.leader.colour)} seat={card.leader.seat} />
          {strength !== undefined && <Strength value={strength} />}
        </g>
      )}
    </>
  );
}

/** A link whose colour is known to its player alone. */
export function FaceDownCard({ colour }: { colour: tigrisCards.Colour | undefined }): JSX.Element {
  const seen = colour === undefined ? undefined : look(sphere(colour));
  return (
    <g class="card-back">
      <rect {...CARD} rx="6" />
      <path d="M6 6h68v38H6zM14 14h52v22H14z" />
      {seen && (
        <g class={`sphere-ink ${seen.class}`}>
          <circle cx="40" cy="25" r="15" />
          <seen.Picture x={30} y={15} size={20} />
        </g>
      )}
    </g>
  );
}
