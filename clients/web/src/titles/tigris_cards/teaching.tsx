import { tigris, tigrisCards } from "@shedu/client";
import type { JSX } from "preact";
import { CardToken, Token } from "../../art/token";
import type { View } from "@shedu/client";
import type { Teaching } from "../../teaching/teaching";
import { cardsView } from "./board_text";
import { Catastrophe, Leader } from "../tigris/pieces";
import { Civilization, Face, FaceDownCard, Ship } from "./cards";
import { faceColour, faceShip, sphere } from "./colours";
import { gapKey, placeKey } from "./places";
import "../../art/boards.css";
import "../tigris/spheres.css";
import "../tigris/tigris.css";
import "./tigris_cards.css";

const { Colour } = tigrisCards;

/** The card and the leader of one colour. */
function Sphere({ colour }: { colour: tigrisCards.Colour }): JSX.Element {
  const piece: tigris.Colour = sphere(colour);
  return (
    <>
      <CardToken>
        <Civilization colour={colour} />
      </CardToken>
      <Token>
        <Leader colour={piece} seat={0} />
      </Token>
    </>
  );
}

const SPHERES: Record<tigrisCards.Colour, string> = {
  [Colour.UNSPECIFIED]: "",
  [Colour.BLACK]: "black",
  [Colour.RED]: "red",
  [Colour.GREEN]: "green",
  [Colour.BLUE]: "blue",
};

function onCard({ face, leader }: tigrisCards.Card): readonly string[] {
  const colour = faceColour(face);
  const card = colour !== undefined ? SPHERES[colour] : faceShip(face) === undefined ? "treasure" : "ship";
  return leader ? [SPHERES[leader.colour], card] : [card];
}

function onTable(target: string, { table }: tigrisCards.View): readonly string[] {
  const columns = (table?.columns ?? []).flatMap(({ cards }, column) =>
    cards.map((card, row) => [placeKey({ column, row }), card] as const),
  );
  const links = (table?.links ?? []).flatMap(({ link }, gap) => (link ? [[gapKey(gap), link] as const] : []));
  const found = [...columns, ...links].find(([key]) => key === target)?.[1];
  if (found) return [...onCard(found), ...(target.startsWith("gap:") ? ["link"] : [])];
  return [target.startsWith("gap:") ? "link" : "column"];
}

function aboutOf(target: string, view: View): readonly string[] {
  const title = cardsView(view);
  const [kind, colour] = target.split(":");
  if (kind === "card" || kind === "column" || kind === "gap") return title ? onTable(target, title) : [];
  return kind === "hand" || kind === "leader" ? [SPHERES[Number(colour) as tigrisCards.Colour]] : [kind ?? ""];
}

/** A place for a card. */
function Place({ look }: { look: string }): JSX.Element {
  return (
    <CardToken>
      <rect width="80" height="50" rx="6" class={look} />
    </CardToken>
  );
}

export const teaching: Teaching = {
  legend: [
    ["black", <Sphere colour={Colour.BLACK} />],
    ["red", <Sphere colour={Colour.RED} />],
    ["green", <Sphere colour={Colour.GREEN} />],
    ["blue", <Sphere colour={Colour.BLUE} />],
    [
      "ship",
      <CardToken>
        <Ship ship={tigrisCards.Ship.BLUE_RED} />
      </CardToken>,
    ],
    [
      "treasure",
      <CardToken>
        <Face face={tigrisCards.Face.TREASURE} />
      </CardToken>,
    ],
    ["column", <Place look="gap-frame" />],
    [
      "link",
      <CardToken>
        <FaceDownCard colour={Colour.GREEN} />
      </CardToken>,
    ],
    [
      "calamity",
      <Token>
        <Catastrophe />
      </Token>,
    ],
  ],
  about: aboutOf,
  chapters: [
    ["setup", ["EC-1", "EC-2", "EC-3", "EC-4"]],
    ["actions", ["EC-9", "EC-10", "EC-11", "EC-20", "EC-21", "EC-22", "EC-23", "EC-24", "EC-50", "EC-51"]],
    ["conflicts", ["EC-12", "EC-30", "EC-40", "EC-41"]],
    ["end", ["EC-60", "EC-61", "EC-62", "EC-63"]],
  ],
  lesson: {
    own: {
      "tigris_cards.asks.turn": [
        { kind: "placeLeader", colour: Colour.BLACK, place: { column: 0, row: 0 } },
        { kind: "layCard", column: 0 },
        { kind: "placeLeader", colour: Colour.GREEN, place: { column: 3, row: 0 } },
        { kind: "layCard", column: 3 },
        { kind: "layCard", column: 0 },
        { kind: "layCard", column: 0 },
        { kind: "endTurn" },
      ],
      "tigris_cards.asks.point_offer": [{ kind: "takePoint" }, { kind: "takePoint" }],
      "tigris_cards.asks.ship_offer": [{ kind: "buildShip" }],
    },
    others: {
      "tigris_cards.asks.turn": [
        { kind: "placeLeader", colour: Colour.RED, place: { column: 6, row: 0 } },
        { kind: "layCard", column: 6 },
        ...Array.from({ length: 12 }, () => ({ kind: "endTurn" })),
      ],
    },
  },
  texts: {
    en: () => import("./teaching_en.json"),
    es: () => import("./teaching_es.json"),
    pt: () => import("./teaching_pt.json"),
  },
};
