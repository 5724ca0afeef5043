import { tigris, tigrisCards } from "@shedu/client";
import type { Say } from "../../boards/seat_name";
import { leaderName, tileName } from "../tigris/colours";

const { Colour, Face, Ship } = tigrisCards;

/** In the order in which the view counts them. */
export const COLOURS = [Colour.BLACK, Colour.RED, Colour.GREEN, Colour.BLUE] as const;

const SPHERES: Record<tigrisCards.Colour, tigris.Colour> = {
  [Colour.UNSPECIFIED]: tigris.Colour.RED,
  [Colour.BLACK]: tigris.Colour.BLACK,
  [Colour.RED]: tigris.Colour.RED,
  [Colour.GREEN]: tigris.Colour.GREEN,
  [Colour.BLUE]: tigris.Colour.BLUE,
};

/** The same sphere as the board game draws it. */
export function sphere(colour: tigrisCards.Colour): tigris.Colour {
  return SPHERES[colour];
}

const FACE_COLOURS: Partial<Record<tigrisCards.Face, tigrisCards.Colour>> = {
  [Face.BLACK]: Colour.BLACK,
  [Face.RED]: Colour.RED,
  [Face.GREEN]: Colour.GREEN,
  [Face.BLUE]: Colour.BLUE,
};

export function faceColour(face: tigrisCards.Face): tigrisCards.Colour | undefined {
  return FACE_COLOURS[face];
}

export const SHIPS = [Ship.BLUE_BLACK, Ship.BLUE_RED, Ship.BLUE_GREEN] as const;

const SECOND: Record<tigrisCards.Ship, tigrisCards.Colour> = {
  [Ship.UNSPECIFIED]: Colour.BLUE,
  [Ship.BLUE_BLACK]: Colour.BLACK,
  [Ship.BLUE_RED]: Colour.RED,
  [Ship.BLUE_GREEN]: Colour.GREEN,
};

/** What a ship shows beside blue. */
export function secondColour(ship: tigrisCards.Ship): tigrisCards.Colour {
  return SECOND[ship];
}

const FACE_SHIPS: Partial<Record<tigrisCards.Face, tigrisCards.Ship>> = {
  [Face.BLUE_BLACK_SHIP]: Ship.BLUE_BLACK,
  [Face.BLUE_RED_SHIP]: Ship.BLUE_RED,
  [Face.BLUE_GREEN_SHIP]: Ship.BLUE_GREEN,
};

export function faceShip(face: tigrisCards.Face): tigrisCards.Ship | undefined {
  return FACE_SHIPS[face];
}

export function colourName(colour: tigrisCards.Colour, say: Say): string {
  return tileName(sphere(colour), say);
}

export function leaderOf(colour: tigrisCards.Colour, say: Say): string {
  return leaderName(sphere(colour), say);
}

export function shipName(ship: tigrisCards.Ship, say: Say): string {
  return say("board.tigris_cards.ship", "ship of {first} and {second}", {
    first: colourName(Colour.BLUE, say),
    second: colourName(secondColour(ship), say),
  });
}

export function faceName(face: tigrisCards.Face, say: Say): string {
  const colour = faceColour(face);
  const ship = faceShip(face);
  if (colour !== undefined) return colourName(colour, say);
  return ship === undefined ? say("board.tigris.treasure", "treasure") : shipName(ship, say);
}
