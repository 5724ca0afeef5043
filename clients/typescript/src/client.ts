import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type CallOptions, type Client, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { checkAddress } from "./address.js";
import { CatalogService, type Title } from "./gen/shedu/v1/catalog_service_pb.js";
import type { Game } from "./gen/shedu/v1/game_pb.js";
import {
  type CreateGameRequestSchema,
  type CreateGameResponse,
  GameService,
  type JoinGameRequestSchema,
  type ListGamesRequestSchema,
  type ListGamesResponse,
} from "./gen/shedu/v1/game_service_pb.js";
import { followInbox, type InboxOptions, type InboxUpdate } from "./inbox.js";
import { bearer, newRequestId, type Patience, persistently } from "./retry.js";
import { Table } from "./table.js";

export interface ClientOptions {
  /** An API key or a JWT, if the server requires an identity. */
  identity?: string;
  /** How long to retry while no server answers. */
  patience?: Patience;
  /** The time limit of one attempt of a call; 10 seconds by default. Streams are not limited. */
  timeoutMilliseconds?: number;
  /** A transport to use instead of fetch. */
  transport?: Transport;
}

/** A seat that was just taken. Its token gives the right to play: keep it secret, and out of URLs. */
export interface Joined {
  game: Game;
  seat: number;
  seatToken: string;
  table: Table;
}

/** A Shedu server. */
export class Shedu {
  private readonly catalog: Client<typeof CatalogService>;
  private readonly games: Client<typeof GameService>;
  private readonly options: ClientOptions;

  /** Throws a SheduError with the code InvalidArgument if the address is not one of HTTP. */
  constructor(address: string, options: ClientOptions = {}) {
    checkAddress(address);
    const transport = options.transport ?? createConnectTransport({ baseUrl: address, useBinaryFormat: true });
    this.options = options;
    this.catalog = createClient(CatalogService, transport);
    this.games = createClient(GameService, transport);
  }

  /** Returns every title that the server hosts. */
  async titles(signal?: AbortSignal): Promise<Title[]> {
    const titles: Title[] = [];
    let pageToken = "";
    do {
      const page = await this.ask((call) => this.catalog.listTitles({ pageToken }, call), signal);
      titles.push(...page.titles);
      pageToken = page.nextPageToken;
    } while (pageToken);
    return titles;
  }

  /** Returns one page of games, newest first. */
  list(filter: MessageInitShape<typeof ListGamesRequestSchema> = {}, signal?: AbortSignal): Promise<ListGamesResponse> {
    return this.ask((call) => this.games.listGames(filter, call), signal);
  }

  /** Creates a game without players. */
  create(game: MessageInitShape<typeof CreateGameRequestSchema>, signal?: AbortSignal): Promise<CreateGameResponse> {
    const request = { requestId: newRequestId(), ...game };
    return this.ask((call) => this.games.createGame(request, call), signal);
  }

  /** Takes a seat; repeated attempts take effect once. */
  async join(
    gameId: string,
    wishes: Omit<MessageInitShape<typeof JoinGameRequestSchema>, "gameId" | "$typeName"> = {},
    signal?: AbortSignal,
  ): Promise<Joined> {
    const request = { requestId: newRequestId(), ...wishes, gameId };
    const answer = await this.ask((call) => this.games.joinGame(request, call), signal);
    const { seat, seatToken } = answer;
    if (!answer.game) throw new Error("the server's answer lacks the game");
    return { game: answer.game, seat, seatToken, table: this.table(gameId, seatToken, seat) };
  }

  /**
   * Returns a game as seen by the seat of the token, or by a spectator. A caller with an identity that has several
   * seats in the game says which one it means.
   */
  table(gameId: string, seatToken: string | undefined = this.options.identity, seat?: number): Table {
    const { patience, timeoutMilliseconds } = this.options;
    return new Table(this.games, gameId, seatToken, patience, timeoutMilliseconds, seat);
  }

  /** Streams what needs attention in all games of the caller, or for the seat of the token. */
  inbox(options: InboxOptions & { seatToken?: string } = {}): AsyncGenerator<InboxUpdate, void> {
    const token = options.seatToken ?? this.options.identity;
    const headers = bearer(token);
    return followInbox((cursor, signal) => this.games.watchInbox({ cursor }, { headers, signal }), options);
  }

  private ask<T>(call: (options: CallOptions) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { identity, patience, timeoutMilliseconds } = this.options;
    return persistently(call, identity, { patience, timeoutMilliseconds, signal });
  }
}
