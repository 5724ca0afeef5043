import { tigris } from "@shedu/client";
import type { JSX } from "preact";
import { Token } from "../../art/token";
import type { View } from "@shedu/client";
import type { Teaching } from "../../teaching/teaching";
import { tigrisView } from "./board_text";
import { Catastrophe, Leader, Monument, Tile, Treasure } from "./pieces";
import { spaceKey, square } from "./spaces";
import "../../art/boards.css";
import "./spheres.css";
import "./tigris.css";

const { Colour } = tigris;

/** The tile and the leader of one colour. */
function Sphere({ colour }: { colour: tigris.Colour }): JSX.Element {
  return (
    <>
      <Token>
        <Tile colour={colour} />
      </Token>
      <Token>
        <Leader colour={colour} seat={0} />
      </Token>
    </>
  );
}

const SPHERES: Record<tigris.Colour, string> = {
  [Colour.UNSPECIFIED]: "",
  [Colour.RED]: "red",
  [Colour.BLUE]: "blue",
  [Colour.GREEN]: "green",
  [Colour.BLACK]: "black",
};

/** What lies on a space, the uppermost first; the ground where nothing does. */
function onSpace(key: string, { board }: tigris.View): readonly string[] {
  if (!board) return [];
  const isHere = ({ space }: { space?: tigris.Space | undefined }) => space !== undefined && spaceKey(space) === key;
  const found = [
    ...board.leaders.filter(isHere).map(({ leader }) => SPHERES[leader]),
    ...board.tiles.filter(isHere).map(({ colour }) => SPHERES[colour]),
    ...board.treasures.filter((space) => spaceKey(space) === key).map(() => "treasure"),
    ...board.catastrophes.filter((space) => spaceKey(space) === key).map(() => "catastrophe"),
    ...board.monuments.filter(({ corner }) => corner && square(corner).some((space) => spaceKey(space) === key)).map(() => "monument"),
  ];
  const ground = board.river.some((space) => spaceKey(space) === key) ? "river" : "land";
  return found.length > 0 ? found : [ground];
}

function aboutOf(target: string, view: View): readonly string[] {
  const title = tigrisView(view);
  const [kind, colour] = target.split(":");
  if (kind === "space") return title ? onSpace(target, title) : [];
  return kind === "tile" || kind === "leader" ? [SPHERES[Number(colour) as tigris.Colour]] : [kind ?? ""];
}

/** A space of the board. */
function Space({ ground }: { ground: string }): JSX.Element {
  return (
    <Token>
      <rect width="40" height="40" rx="4" class={ground} />
    </Token>
  );
}

export const teaching: Teaching = {
  legend: [
    ["red", <Sphere colour={Colour.RED} />],
    ["blue", <Sphere colour={Colour.BLUE} />],
    ["green", <Sphere colour={Colour.GREEN} />],
    ["black", <Sphere colour={Colour.BLACK} />],
    [
      "treasure",
      <Token>
        <g transform="translate(-9 9)">
          <Treasure />
        </g>
      </Token>,
    ],
    [
      "catastrophe",
      <Token>
        <Catastrophe />
      </Token>,
    ],
    [
      "monument",
      <Token side={80}>
        <Monument monument={tigris.Monument.RED_BLUE} />
      </Token>,
    ],
    ["land", <Space ground="land" />],
    ["river", <Space ground="river" />],
  ],
  about: aboutOf,
  chapters: [
    ["setup", ["TE-1", "TE-2", "TE-22", "TE-80"]],
    ["actions", ["TE-9", "TE-10", "TE-11", "TE-12", "TE-13", "TE-20", "TE-21", "TE-30", "TE-35"]],
    ["conflicts", ["TE-40", "TE-41", "TE-42", "TE-43", "TE-44", "TE-45", "TE-46", "TE-47", "TE-48", "TE-49"]],
    ["buildings", ["TE-50", "TE-51", "TE-52", "TE-53", "TE-54"]],
    ["end", ["TE-60", "TE-61", "TE-70", "TE-71", "TE-72", "TE-73"]],
  ],
  lesson: {
    own: {
      "tigris.prompt.act": [
        { kind: "placeLeader", leader: Colour.BLACK },
        ...[Colour.BLACK, Colour.RED, Colour.GREEN].map((colour) => ({ kind: "placeTile", colour })),
        { kind: "placeLeader", leader: Colour.GREEN },
        { kind: "placeLeader", leader: Colour.RED },
        { kind: "swapTiles" },
      ],
      "tigris.prompt.place_leader": [
        { kind: "chooseSpace", space: { row: 1, column: 0 } },
        { kind: "chooseSpace", space: { row: 2, column: 6 } },
        { kind: "chooseSpace", space: { row: 8, column: 1 } },
      ],
      "tigris.prompt.place_tile": [
        { kind: "chooseSpace", space: { row: 2, column: 1 } },
        { kind: "chooseSpace", space: { row: 1, column: 2 } },
        { kind: "chooseSpace", space: { row: 0, column: 1 } },
      ],
    },
    others: {
      "tigris.prompt.act": [
        { kind: "placeLeader", leader: Colour.RED },
        { kind: "placeLeader", leader: Colour.BLUE },
        ...Array.from({ length: 12 }, () => ({ kind: "endTurn" })),
      ],
      "tigris.prompt.place_leader": [
        { kind: "chooseSpace", space: { row: 1, column: 14 } },
        { kind: "chooseSpace", space: { row: 5, column: 13 } },
      ],
    },
  },
  texts: {
    en: () => import("./teaching_en.json"),
    es: () => import("./teaching_es.json"),
    pt: () => import("./teaching_pt.json"),
  },
};
