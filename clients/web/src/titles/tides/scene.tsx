import { tides } from "@shedu/client";
import type { JSX } from "preact";
import { suitPicture } from "./card_data";

const { Card } = tides;

const PEAKS = (
  <>
    <path d="M8 52 34 12l12 18 10-14 26 36z" class="scene-far" />
    <path d="m34 12 6 9-4 4-3-4-4 5-2-3zM56 16l5 7-3 3-3-3-4 1z" class="scene-snow" />
  </>
);
const MOUND = (
  <>
    <path d="M18 54c4-22 16-30 27-30s23 8 27 30z" class="scene-far" />
    <path d="M36 54c0-9 4-14 9-14s9 5 9 14z" class="scene-hole" />
  </>
);
const SHIP = (
  <>
    <path d="M44 12v32H22c8-8 16-18 22-32zM47 18c8 6 14 14 17 26H47z" class="scene-snow" />
    <path d="M18 46h52l-7 10H26z" class="scene-far" />
  </>
);

const LONE: Partial<Record<tides.Card, JSX.Element>> = {
  [Card.MOLEHILL]: MOUND,
  [Card.ROOF_OF_THE_WORLD]: PEAKS,
  [Card.SAPPHIRE_PORT]: SHIP,
};

/** The three cards of a suit show one, two or three of its buildings. */
function Buildings({ card, suit }: { card: tides.Card; suit: tides.Suit }): JSX.Element {
  const Picture = suitPicture(suit);
  const many = (card - 1) % 3;
  return (
    <g class="scene-building">
      {many === 2 && <Picture x={10} y={30} size={18} />}
      {many > 0 && <Picture x={many === 2 ? 63 : 56} y={many === 2 ? 28 : 25} size={many === 2 ? 20 : 24} />}
      <Picture x={many === 1 ? 15 : 27} y={many === 0 ? 12 : 16} size={many === 0 ? 38 : 34} />
    </g>
  );
}

/** A view of the place a card is named after: sky, sun, land, and the tide before it. */
export function Scene({ card, suit }: { card: tides.Card; suit: tides.Suit }): JSX.Element {
  const sun = 14 + ((card * 29) % 62);
  const lean = (card * 7) % 9;
  return (
    <svg class="scene" viewBox="0 0 90 66" aria-hidden="true" preserveAspectRatio="xMidYMid slice">
      <rect width="90" height="66" class="scene-sky" />
      <circle cx={sun} cy={13 + (card % 3) * 3} r={card % 2 ? 7 : 5} class="scene-sun" />
      <path d={`M0 ${44 - lean}Q22 ${34 + lean} 46 44T90 ${38 + lean}V66H0z`} class="scene-hill" />
      {LONE[card] ?? <Buildings card={card} suit={suit} />}
      <path d="M0 54q7.5-6 15 0t15 0 15 0 15 0 15 0 15 0v12H0z" class="scene-sea" />
      <path d="M-8 60q7.5-5 15 0t15 0 15 0 15 0 15 0 15 0 15 0v6H-8z" class="scene-tide" />
    </svg>
  );
}
