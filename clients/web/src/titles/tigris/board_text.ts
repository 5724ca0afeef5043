import type { tigris, View } from "@shedu/client";
import type { Board } from "../../board";
import { nameOf, type Say } from "../../boards/seat_name";
import { contentsOf } from "./contents";
import { COLOURS, leaderName, monumentName, pointName, tileName } from "./colours";
import { spaceKey, spaceName, SPACES } from "./spaces";

export function tigrisView(view: View): tigris.View | undefined {
  return view.title.case === "tigris" ? view.title.value : undefined;
}

function describeKingdom(kingdom: tigris.Kingdom, names: readonly string[], say: Say): string {
  const leaders = kingdom.leaders.map((leader) =>
    say("board.tigris.leader_at", "{leader} of {name} at {space}: supporters {supporters}, temples beside {temples}", {
      leader: leaderName(leader.leader, say),
      name: nameOf(names, leader.seat),
      space: leader.space ? spaceName(leader.space) : "",
      supporters: String(leader.supporters),
      temples: String(leader.temples),
    }),
  );
  const monuments = kingdom.monuments.map((monument) => monumentName(monument, say));
  const spaces = kingdom.spaces.map(spaceName).join(" ");
  return say("board.tigris.describe_kingdom", "Kingdom of {things}; spaces {spaces}; treasures {treasures}.", {
    things: [...leaders, ...monuments].join("; "),
    spaces,
    treasures: String(kingdom.treasures.length),
  });
}

function describePlayer(player: tigris.PlayerView, name: string, say: Say): string {
  const points = COLOURS.map((colour, index) => `${pointName(colour, say)} ${player.points[index] ?? "?"}`).join(", ");
  return say(
    "board.tigris.describe_player",
    "{name}: {points}, treasures {treasures}; tiles in hand {tiles}, catastrophes left {catastrophes}.",
    {
      name,
      points,
      treasures: String(player.treasures ?? "?"),
      tiles: String(player.hiddenHand ?? player.hand.length),
      catastrophes: String(player.catastrophes),
    },
  );
}

export const describe: Board["describe"] = (whole, names, say) => {
  const view = tigrisView(whole);
  if (!view) return "";
  const contents = contentsOf(view, names, say);
  const river = say("board.tigris.river", "river");
  const lying = SPACES.flatMap((space) => {
    const words = contents.get(spaceKey(space))?.filter((word) => word !== river) ?? [];
    return words.length ? [`${spaceName(space)}: ${words.join(", ")}.`] : [];
  });
  const hand = view.seat === undefined ? [] : (view.players[view.seat]?.hand ?? []);
  return [
    say("board.tigris.describe_turn", "Turn {turn}, {name} is active.", {
      turn: String(view.turn),
      name: nameOf(names, view.active),
    }),
    ...view.players.map((player, seat) => describePlayer(player, nameOf(names, seat), say)),
    ...(hand.length
      ? [
          say("board.tigris.describe_hand", "Your hand: {tiles}.", {
            tiles: hand.map((colour) => tileName(colour, say)).join(", "),
          }),
        ]
      : []),
    ...view.kingdoms.map((kingdom) => describeKingdom(kingdom, names, say)),
    ...lying,
  ].join("\n");
};

/** The points of the weakest colour, with the treasures where they help most. */
function weakest(colours: readonly number[], treasures: number): number {
  const points = [...colours];
  for (let left = treasures; left > 0; left--) points[points.indexOf(Math.min(...points))]! += 1;
  return Math.min(...points);
}

export const points: NonNullable<Board["points"]> = (view, say) => ({
  what: say("board.tigris.weakest", "Points of the weakest colour"),
  bySeat:
    tigrisView(view)?.players.map(({ points: colours, treasures }) =>
      colours.length > 0 && treasures !== undefined ? weakest(colours, treasures) : undefined,
    ) ?? [],
});

export const breakdown: Board["breakdown"] = (whole, names, say) => {
  const players = tigrisView(whole)?.players ?? [];
  const columns = [...COLOURS.map((colour) => pointName(colour, say)), say("board.tigris.treasures", "treasures")];
  const rows = players.map((player, seat) => ({
    name: nameOf(names, seat),
    cells: [...COLOURS.map((_, index) => String(player.points[index] ?? "?")), String(player.treasures ?? "?")],
  }));
  return { columns, rows };
};
