import type { TitleFacts } from "../../title_parts";

export const facts: TitleFacts = {
  name: "Tigris & Euphrates",
  minutes: "90",
  colour: "#a8562c",
};
