import { tigris } from "@shedu/client";
import type { Board } from "../../board";
import { nameOf, type Say } from "../../boards/seat_name";
import { type SentenceWriter as KindTeller, firstSentence } from "../../boards/sentence_writers";
import { buildingName, leaderName, monumentName, pointName, tileName } from "./colours";
import type { At } from "../../boards/outline";
import { spaceName } from "./spaces";

type Kind = tigris.Event["kind"];
type SentenceWriter = KindTeller<Kind>;

function at(space: At | undefined): string {
  return space ? spaceName(space) : "";
}

function homeReason(reason: tigris.HomeReason, say: Say): string {
  switch (reason) {
    case tigris.HomeReason.LOST_REVOLT:
      return say("board.tigris.home.revolt", "it lost a revolt");
    case tigris.HomeReason.LOST_WAR:
      return say("board.tigris.home.war", "it lost a war");
    default:
      return say("board.tigris.home.temple", "no temple is beside it");
  }
}

function endReason(reason: tigris.EndReason, say: Say): string {
  switch (reason) {
    case tigris.EndReason.FEW_TREASURES:
      return say("board.tigris.end.treasures", "few treasures are left");
    case tigris.EndReason.BAG_EXHAUSTED:
      return say("board.tigris.end.bag", "the bag is empty");
    default:
      return say("board.tigris.end.standstill", "no more moves are possible");
  }
}

const leaders: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "leaderPlaced":
      return say("board.tigris.event.leader_placed", "{name} places the {leader} at {space}.", {
        name: nameOf(names, kind.value.seat),
        leader: leaderName(kind.value.leader, say),
        space: at(kind.value.space),
      });
    case "leaderWithdrawn":
      return say("board.tigris.event.leader_withdrawn", "{name} withdraws the {leader} from {space}.", {
        name: nameOf(names, kind.value.seat),
        leader: leaderName(kind.value.leader, say),
        space: at(kind.value.space),
      });
    case "leaderSentHome":
      return say("board.tigris.event.leader_home", "The {leader} of {name} leaves {space}: {reason}.", {
        name: nameOf(names, kind.value.seat),
        leader: leaderName(kind.value.leader, say),
        space: at(kind.value.space),
        reason: homeReason(kind.value.reason, say),
      });
    default:
      return undefined;
  }
};

const tiles: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "tilePlaced":
      return say("board.tigris.event.tile_placed", "{name} places a {tile} at {space}.", {
        name: nameOf(names, kind.value.seat),
        tile: tileName(kind.value.colour, say),
        space: at(kind.value.space),
      });
    case "tilesDrawn":
      return say("board.tigris.event.tiles_drawn", "{name} draws tiles: {count}.", {
        name: nameOf(names, kind.value.seat),
        count: String(kind.value.hiddenTiles ?? kind.value.tiles.length),
      });
    case "drawFailed":
      return say("board.tigris.event.draw_failed", "The bag has too few tiles for {name}.", {
        name: nameOf(names, kind.value.seat),
      });
    case "tilesSwapped":
      return say("board.tigris.event.tiles_swapped", "{name} swaps tiles: {count}.", {
        name: nameOf(names, kind.value.seat),
        count: String(kind.value.hiddenTiles ?? kind.value.tiles.length),
      });
    case "catastrophePlayed":
      return say("board.tigris.event.catastrophe", "{name} plays a catastrophe at {space}.", {
        name: nameOf(names, kind.value.seat),
        space: at(kind.value.space),
      });
    case "treasureTaken":
      return say("board.tigris.event.treasure_taken", "{name} takes the treasure at {space}.", {
        name: nameOf(names, kind.value.seat),
        space: at(kind.value.space),
      });
    case "pointsScored":
      return say("board.tigris.event.points", "{name} gains {count}: {points}.", {
        name: nameOf(names, kind.value.seat),
        count: String(kind.value.points),
        points: pointName(kind.value.colour, say),
      });
    default:
      return undefined;
  }
};

const conflicts: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "kingdomsJoined":
      return say("board.tigris.event.joined", "Two kingdoms meet at {space}.", { space: at(kind.value.space) });
    case "conflictBegun":
      return say(
        "board.tigris.event.conflict",
        "{attacker} attacks {defender}, {leader} against {leader}: {strength} to {other} on the board.",
        {
          attacker: nameOf(names, kind.value.conflict?.attacker ?? 0),
          defender: nameOf(names, kind.value.conflict?.defender ?? 0),
          leader: leaderName(kind.value.conflict?.colour ?? tigris.Colour.RED, say),
          strength: String(kind.value.conflict?.attackerStrength ?? 0),
          other: String(kind.value.conflict?.defenderStrength ?? 0),
        },
      );
    case "supportCommitted":
      return say("board.tigris.event.committed", "{name} commits {count}: {tile}.", {
        name: nameOf(names, kind.value.seat),
        count: String(kind.value.tiles),
        tile: tileName(kind.value.colour, say),
      });
    case "conflictWon":
      return say("board.tigris.event.won", "{winner} wins with {total} to {other} against {loser}.", {
        winner: nameOf(names, kind.value.winner),
        loser: nameOf(names, kind.value.loser),
        total: String(kind.value.winnerTotal),
        other: String(kind.value.loserTotal),
      });
    case "unificationEnded":
      return say("board.tigris.event.unified", "The kingdoms at {space} are united.", { space: at(kind.value.space) });
    default:
      return undefined;
  }
};

const builds: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "buildingRaised":
      return say("board.tigris.event.building", "{name} raises the {building} at {space}.", {
        name: nameOf(names, kind.value.seat),
        building: buildingName(kind.value.colour, say),
        space: at(kind.value.space),
      });
    case "buildingReturned":
      return say("board.tigris.event.building_returned", "The {building} at {space} returns to the supply.", {
        building: buildingName(kind.value.colour, say),
        space: at(kind.value.space),
      });
    case "monumentBuilt":
      return say("board.tigris.event.monument", "{name} builds the {monument} at {space}.", {
        name: nameOf(names, kind.value.seat),
        monument: monumentName(kind.value.monument, say),
        space: at(kind.value.corner),
      });
    case "wonderBuilt":
      return say("board.tigris.event.wonder", "{name} builds the wonder around {space}.", {
        name: nameOf(names, kind.value.seat),
        space: at(kind.value.center),
      });
    case "buildDeclined":
      return say("board.tigris.event.declined", "{name} builds nothing.", { name: nameOf(names, kind.value.seat) });
    default:
      return undefined;
  }
};

const course: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "gameBegun":
      return say("board.tigris.event.begun", "{name} begins.", { name: nameOf(names, kind.value.first) });
    case "turnBegun":
      return say("board.tigris.event.turn", "Turn {turn}: {name}.", {
        turn: String(kind.value.turn),
        name: nameOf(names, kind.value.seat),
      });
    case "gameEnded":
      return say("board.tigris.event.ended", "The game is over: {reason}.", {
        reason: endReason(kind.value.reason, say),
      });
    default:
      return undefined;
  }
};

const tell = firstSentence<Kind>([leaders, tiles, conflicts, builds, course]);

export const sentence: Board["sentence"] = (event, names, say) =>
  event.kind.case === "tigris" ? tell(event.kind.value.kind, names, say) : undefined;
