import { tigris, tigrisCards } from "@shedu/client";
import type { JSX } from "preact";
import { CardToken, Token } from "../../art/token";
import type { Teaching } from "../../teaching/teaching";
import { Leader } from "../tigris/pieces";
import { Civilization, Ship } from "./cards";
import { sphere } from "./colours";
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
  ],
  chapters: [
    ["setup", ["EC-1", "EC-2", "EC-3", "EC-4"]],
    ["actions", ["EC-9", "EC-10", "EC-11", "EC-20", "EC-21", "EC-22", "EC-23", "EC-24", "EC-50", "EC-51"]],
    ["conflicts", ["EC-12", "EC-30", "EC-40", "EC-41"]],
    ["end", ["EC-60", "EC-61", "EC-62", "EC-63"]],
  ],
  texts: {
    en: () => import("./teaching_en.json"),
    es: () => import("./teaching_es.json"),
    pt: () => import("./teaching_pt.json"),
  },
};
