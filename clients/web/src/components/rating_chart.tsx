import type { PlayedGame } from "@shedu/client";
import type { JSX } from "preact";
import { useSay } from "../translation";

const [WIDTH, HEIGHT, EDGE] = [600, 160, 44];

/** The rating after each rated game of one title; nothing for fewer than two games, or for several titles. */
export function RatingChart({ games }: { games: readonly PlayedGame[] }): JSX.Element | null {
  const say = useSay();
  const ratings = games.flatMap(({ ratingChange }) => (ratingChange ? [ratingChange.after] : [])).reverse();
  if (ratings.length < 2 || new Set(games.map(({ title }) => title)).size > 1) return null;
  const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
  const x = (index: number) => EDGE + (index * (WIDTH - EDGE - 8)) / (ratings.length - 1);
  const y = (rating: number) => HEIGHT - 14 - ((rating - least) * (HEIGHT - 28)) / Math.max(1, most - least);
  const what = say("web.player.course", "Rating after each game");
  return (
    <figure class="panel rating-chart">
      <figcaption class="facts">{what}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${what}: ${ratings.join(", ")}`}>
        {[least, most].map((rating) => (
          <g key={rating} class="scale">
            <path d={`M${EDGE} ${y(rating)}H${WIDTH}`} />
            <text x={EDGE - 6} y={y(rating) + 4}>
              {rating}
            </text>
          </g>
        ))}
        <polyline points={ratings.map((rating, index) => `${x(index)},${y(rating)}`).join(" ")} />
      </svg>
    </figure>
  );
}
