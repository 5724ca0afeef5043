import type { TitleFacts } from "../../title_parts";

export const facts: TitleFacts = {
  name: "Stone Age",
  minutes: "75",
  colour: "#5c7a34",
};
