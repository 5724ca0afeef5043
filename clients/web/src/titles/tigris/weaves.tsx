import type { JSX } from "preact";

/** A pattern for each sphere, so that colour is never the only difference. */
export function Weaves(): JSX.Element {
  return (
    <defs>
      <pattern id="weave-red" width="8" height="8" patternUnits="userSpaceOnUse">
        <path d="M0 4h8M4 0v4M0 8h8" />
      </pattern>
      <pattern id="weave-blue" width="10" height="6" patternUnits="userSpaceOnUse">
        <path d="M0 3q2.5-3 5 0t5 0" />
      </pattern>
      <pattern id="weave-green" width="6" height="6" patternUnits="userSpaceOnUse">
        <path d="M0 6 6 0M0 0l6 6" />
      </pattern>
      <pattern id="weave-black" width="7" height="7" patternUnits="userSpaceOnUse">
        <circle cx="3.5" cy="3.5" r="1" />
      </pattern>
    </defs>
  );
}
