import type { stoneAge } from "@shedu/client";
import type { JSX } from "preact";
import { Hut } from "./cultures";
import { Axe, Deck, Field, Points } from "./goods_art";
import type { Picture } from "../../art/glyph";
import { Person, TribeMark } from "./people";
import { nameOf, ownFirst, type Say } from "../../boards/seat_name";
import { goodName, RESOURCES } from "./goods";
import { GoodGlyph } from "./market";
import { cardText, CULTURES, lowerOf, SYMBOLS, symbolName, TRADES } from "./card_data";

interface TribeProps {
  view: stoneAge.View;
  seat: number;
  names: readonly string[];
  say: Say;
}

function Stat({
  title,
  children,
}: {
  title: string;
  children: JSX.Element | (JSX.Element | string | number)[];
}): JSX.Element {
  return (
    <span class="stat" data-tip={title}>
      <span class="unshown">{title}: </span>
      {children}
    </span>
  );
}

function Stocks({ player, say }: { player: stoneAge.PlayerView; say: Say }): JSX.Element {
  const food = say("board.stone_age.food_balance", "food {food}; {balance} after feeding", {
    food: String(player.food),
    balance: String(player.foodBalance),
  });
  return (
    <div class="stats">
      <Stat title={food}>
        <>
          <GoodGlyph good="food" />
          <span class="tally">{player.food}</span>
          <small class={player.foodBalance < 0 ? "short" : "faint"}>
            {player.foodBalance < 0 ? player.foodBalance : `+${player.foodBalance}`}
          </small>
        </>
      </Stat>
      {RESOURCES.map((good) => (
        <Stat key={good} title={goodName(good, say)}>
          <>
            <GoodGlyph good={good} />
            {player.resources?.[good] ?? 0}
          </>
        </Stat>
      ))}
    </div>
  );
}

function Toolbox({ player, say }: { player: stoneAge.PlayerView; say: Say }): JSX.Element {
  return (
    <Stat title={say("board.stone_age.tools", "tools")}>
      <>
        <Axe />
        {player.tools.map(({ value, used }, space) => (
          <span key={space} class={`tool${used ? " used" : ""}${value ? "" : " none"}`}>
            {value || "·"}
          </span>
        ))}
      </>
    </Stat>
  );
}

function Village({ player, seat, say }: { player: stoneAge.PlayerView; seat: number; say: Say }): JSX.Element {
  const people = say("board.stone_age.people", "people at home: {home} of {people}", {
    home: String(player.peopleAtHome),
    people: String(player.people),
  });
  const one = (title: string, Picture: Picture, value: number): JSX.Element => (
    <Stat title={title}>
      <>
        <Picture />
        {value}
      </>
    </Stat>
  );
  return (
    <div class="stats">
      <Stat title={people}>
        <>
          <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
            <Person seat={seat} size={24} />
          </svg>
          {player.peopleAtHome}/{player.people}
        </>
      </Stat>
      {one(say("board.stone_age.food_track", "food track"), Field, player.foodTrack)}
      <Toolbox player={player} say={say} />
      {one(say("board.stone_age.built", "buildings"), Hut, player.tiles.length)}
    </div>
  );
}

type Owned = Pick<TribeProps, "say"> & { player: stoneAge.PlayerView };

/** How often the lower halves of all cards show each symbol. Symbols have fixed places; those without a card are pale. */
function Symbols({ player, say }: Owned): JSX.Element {
  const lowers = [...player.cards, ...player.drawn].map(lowerOf);
  const count = (symbol: string) =>
    lowers.filter((lower) => lower.symbol === symbol).reduce((sum, { people }) => sum + Math.max(people, 1), 0);
  const stat = (symbol: (typeof CULTURES | typeof TRADES)[number], kind: string): JSX.Element => {
    const [Symbol, owned] = [SYMBOLS[symbol], count(symbol)];
    return (
      <Stat key={symbol} title={`${symbolName(symbol, say)} ${owned}`}>
        <span class={`symbol ${kind}${owned ? "" : " none"}`}>
          <Symbol />
          {owned > 1 && owned}
        </span>
      </Stat>
    );
  };
  return (
    <>
      {CULTURES.map((culture) => stat(culture, "culture"))}
      {TRADES.map((trade) => stat(trade, "trade"))}
    </>
  );
}

/** What cards gave for later: one-use tools, any two resources, and cards that were drawn face down. */
function Gifts({ player, say }: Owned): JSX.Element {
  const hidden = player.hiddenDrawn ?? 0;
  return (
    <span class="gifts">
      {player.oneUseTools.map((value) => (
        <span
          key={`once ${value}`}
          class="tool once"
          data-tip={say("board.stone_age.once_of", "one-use tool of value {value}", { value: String(value) })}
        >
          {value}
        </span>
      ))}
      {player.anyTwo && <span data-tip={say("board.stone_age.upper.any_two", "any two resources, later")}>?2</span>}
      {hidden > 0 && (
        <Stat title={say("board.stone_age.drawn_unseen", "cards drawn face down: {count}", { count: String(hidden) })}>
          <>
            <Deck />
            {hidden}
          </>
        </Stat>
      )}
    </span>
  );
}

function Civilization({ player, say }: Owned): JSX.Element {
  return (
    <div class="stats civilizations" data-tip={player.cards.map((card) => cardText(card, say)).join("\n")}>
      <Symbols player={player} say={say} />
    </div>
  );
}

function asked(view: stoneAge.View): number | undefined {
  const task = view.agenda.at(-1)?.kind;
  if (task?.case === undefined) return undefined;
  return task.case === "takingDice" ? task.value.seats[0] : task.value.seat;
}

/** Everything one tribe has. */
export function Tribe({ view, seat, names, say }: TribeProps): JSX.Element | null {
  const player = view.players[seat];
  if (!player) return null;
  const score = player.finalScore?.total ?? player.score;
  return (
    <li class={`tribe seat-${seat}${asked(view) === seat ? " active" : ""}`}>
      <div class="tribe-head">
        <TribeMark seat={seat} name={nameOf(names, seat)} />
        {view.startPlayer === seat && (
          <span class="start" data-tip={say("board.stone_age.start_player", "start player")}>
            ①
          </span>
        )}
        <Gifts player={player} say={say} />
        <span class="score" data-tip={say("board.stone_age.score", "score")}>
          <Points />
          <b>{score}</b>
        </span>
      </div>
      <Stocks player={player} say={say} />
      <Village player={player} seat={seat} say={say} />
      <Civilization player={player} say={say} />
    </li>
  );
}

export function Tribes({ view, names, say }: Omit<TribeProps, "seat">): JSX.Element {
  return (
    <section class="slab">
      <h3>
        {say("board.stone_age.tribes", "Players")} ·{" "}
        {say("board.stone_age.round", "round {round}", { round: String(view.round) })}
      </h3>
      <ul class="tribes">
        {ownFirst(view.players.length, view.seat).map((seat) => (
          <Tribe key={seat} view={view} seat={seat} names={names} say={say} />
        ))}
      </ul>
    </section>
  );
}
