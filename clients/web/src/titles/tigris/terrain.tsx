import type { tigris } from "@shedu/client";
import type { JSX } from "preact";
import { Weaves } from "./weaves";
import { outline } from "../../boards/outline";
import { On } from "./pieces";
import { COLUMNS, ROWS, SIDE, spaceKey, SPACE } from "./spaces";

const [WIDTH, HEIGHT] = [COLUMNS * SIDE, ROWS * SIDE];

function Patterns(): JSX.Element {
  return (
    <defs>
      <pattern id="tigris-waves" width="40" height="20" patternUnits="userSpaceOnUse">
        <path d="M0 6q5-5 10 0t10 0 10 0 10 0M-10 16q5-5 10 0t10 0 10 0 10 0 10 0" class="waves" />
      </pattern>
      <pattern id="tigris-sand" width="57" height="43" patternUnits="userSpaceOnUse">
        <path d="M6 9h2M31 5h1.5M48 17h2M17 26h1.5M39 33h2M9 38h1.5M53 39h1" class="sand" />
      </pattern>
    </defs>
  );
}

function Grid(): JSX.Element {
  const across = Array.from({ length: ROWS - 1 }, (_, row) => `M0 ${(row + 1) * SIDE}h${WIDTH}`);
  const down = Array.from({ length: COLUMNS - 1 }, (_, column) => `M${(column + 1) * SIDE} 0v${HEIGHT}`);
  return <path d={[...across, ...down].join("")} class="grid" />;
}

function Coordinates(): JSX.Element {
  return (
    <g class="coordinates">
      {Array.from({ length: COLUMNS }, (_, column) => (
        <text key={`c${column}`} x={(column + 0.5) * SIDE} y={-4}>
          {String.fromCharCode(65 + column)}
        </text>
      ))}
      {Array.from({ length: ROWS }, (_, row) => (
        <text key={`r${row}`} x={-9} y={(row + 0.5) * SIDE + 4}>
          {row + 1}
        </text>
      ))}
    </g>
  );
}

/** Land, rivers and bordered spaces: what never changes. */
export function Ground({ board }: { board: tigris.BoardView }): JSX.Element {
  const river = outline(board.river, SPACE, 1.5, 12);
  return (
    <g>
      <Weaves />
      <Patterns />
      <rect x="-2" y="-2" width={WIDTH + 4} height={HEIGHT + 4} rx="8" class="land" />
      <rect width={WIDTH} height={HEIGHT} fill="url(#tigris-sand)" />
      <path d={river} class="river" />
      <path d={river} fill="url(#tigris-waves)" />
      <Grid />
      <Coordinates />
      {board.special.map((space) => (
        <On key={spaceKey(space)} space={space}>
          <rect x="1" y="1" width="38" height="38" rx="6" class="special" />
        </On>
      ))}
    </g>
  );
}
