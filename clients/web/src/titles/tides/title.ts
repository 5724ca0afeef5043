import type { TitleFacts } from "../../title_parts";

export const facts: TitleFacts = {
  name: "Tides of Time",
  minutes: "20",
  colour: "#2b6f8f",
};
