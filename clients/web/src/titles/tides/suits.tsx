import { drawn } from "../../art/glyph";

/** The pictures of the five suits of Tides of Time, and of the cards that have none. */
export const Palace = drawn(
  "M2 21h20v-2h-1.5V10L22 8.5 12 2 2 8.5 3.5 10v9H2zM6 19v-8h2.5v8zm4.7 0v-5h2.6v5zm4.8 0v-8H18v8zM12 4.8a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 0 1 0-3.2z",
);
export const Library = drawn(
  "M1.5 4.5C5 3.3 9 3.7 11.2 5.6v14.6C9 18.6 5 18.3 1.5 19.4zm21 0C19 3.3 15 3.7 12.8 5.6v14.6c2.2-1.6 6.2-1.9 9.7-.8zM3.5 7.5v1.7c2-.4 4-.2 5.7.5V8C7.5 7.2 5.5 7 3.5 7.5zm0 4v1.7c2-.4 4-.2 5.7.5V12c-1.7-.7-3.7-.9-5.7-.5zm17-4v1.7c-2-.4-4-.2-5.7.5V8c1.7-.8 3.7-1 5.7-.5zm0 4v1.7c-2-.4-4-.2-5.7.5V12c1.7-.7 3.7-.9 5.7-.5z",
);
export const Garden = drawn(
  "M11 22v-7.2C6.8 15 3.6 12.4 3 8c3.4-.3 6 .9 7.5 3.2C9.2 7.7 9.8 4.6 12 2c2.2 2.6 2.8 5.7 1.5 9.2C15 8.9 17.6 7.7 21 8c-.6 4.4-3.8 7-8 6.8V22z",
);
export const Temple = drawn(
  "M12 2 22 7.5V10H2V7.5zM4 11.5h3v7H4zm6.5 0h3v7h-3zm6.5 0h3v7h-3zM2 20h20v2.5H2zM12 4.8 8.5 7h7z",
);
export const Stronghold = drawn(
  "M3 2h3.5v2.5h2.7V2h5.6v2.5h2.7V2H21v6.5l-2 2V20h2v2.5H3V20h2v-9.5l-2-2zM10 22.5h4V17a2 2 0 0 0-4 0zM8.3 11v3h2v-3zm5.4 0v3h2v-3z",
);
export const NoSuit = drawn("M12 2l2.4 7.6L22 12l-7.6 2.4L12 22l-2.4-7.6L2 12l7.6-2.4z");
