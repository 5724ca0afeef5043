import type { TitleFacts } from "../../title_parts";

export const facts: TitleFacts = {
  name: "Euphrates & Tigris: The Card Game",
  minutes: "45",
  colour: "#7a4f9a",
  // Leaders, colours and the duel are the parts of that board.
  alsoTextsOf: ["tigris"],
};
