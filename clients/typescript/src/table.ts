import type { MessageInitShape } from "@bufbuild/protobuf";
import { type CallOptions, type Client, Code } from "@connectrpc/connect";
import { SheduError } from "./errors.js";
import type { ActionSchema, Decision, Event, Fairness, Game, View } from "./gen/shedu/v1/game_pb.js";
import type {
  AnswerProposalResponse,
  ForkGameResponse,
  GameService,
  LegalAction,
  PlayActionResponse,
  ProposeAbandonResponse,
  ProposeUndoResponse,
  RematchResponse,
} from "./gen/shedu/v1/game_service_pb.js";
import { bearer, callOptions, newRequestId, type Patience, persistently } from "./retry.js";
import { follow, type Update, type WatchOptions } from "./watch.js";

/** The open decision of a seat and its legal actions. */
export interface Choices {
  decision: Decision | undefined;
  actions: LegalAction[];
  version: bigint;
}

export interface PlayOptions {
  decisionId: string;
  /** Refuses the action unless the game is at this version. */
  expectedVersion?: bigint;
  /** Only checks whether the action would be accepted. */
  validateOnly?: boolean;
  /** The request id; by default a random one that all attempts share. */
  requestId?: string;
  signal?: AbortSignal;
  patience?: Patience;
}

/** One game as seen by one seat, or by a spectator. */
export class Table {
  readonly gameId: string;
  readonly seatToken: string | undefined;
  private readonly place: { gameId: string; seat?: number };
  private readonly games: Client<typeof GameService>;
  private readonly patience: Patience | undefined;
  private readonly timeoutMilliseconds: number | undefined;

  constructor(
    games: Client<typeof GameService>,
    gameId: string,
    seatToken?: string,
    patience?: Patience,
    timeoutMilliseconds?: number,
    seat?: number,
  ) {
    this.games = games;
    this.gameId = gameId;
    this.place = { gameId, ...(seat === undefined ? {} : { seat }) };
    this.seatToken = seatToken;
    this.patience = patience;
    this.timeoutMilliseconds = timeoutMilliseconds;
  }

  /** Returns the view of this seat, now or at an earlier version. */
  async view(options: { version?: bigint; asSeat?: number; signal?: AbortSignal } = {}): Promise<View> {
    const { signal, ...when } = options;
    const answer = await this.ask((call) => this.games.getView({ ...this.place, ...when }, call), signal);
    return present(answer.view);
  }

  async game(signal?: AbortSignal): Promise<Game> {
    return present((await this.ask((call) => this.games.getGame({ gameId: this.gameId }, call), signal)).game);
  }

  /** Returns all legal actions of this seat, over all pages. */
  async legalActions(options: { version?: bigint; signal?: AbortSignal } = {}): Promise<Choices> {
    for (;;) {
      try {
        return await this.allPages(options);
      } catch (problem) {
        if (SheduError.from(problem).code !== Code.Aborted) throw problem; // else the game moved on between two pages
      }
    }
  }

  private async allPages(options: { version?: bigint; signal?: AbortSignal }): Promise<Choices> {
    const { signal, ...when } = options;
    const choices: Choices = { decision: undefined, actions: [], version: 0n };
    let pageToken = "";
    do {
      const request = { ...this.place, pageToken, ...when };
      const page = await this.ask((call) => this.games.listLegalActions(request, call), signal);
      choices.decision = page.decision;
      choices.version = page.version;
      choices.actions.push(...page.actions);
      pageToken = page.nextPageToken;
    } while (pageToken);
    return choices;
  }

  /** Answers a decision; repeated attempts take effect once. */
  play(action: MessageInitShape<typeof ActionSchema>, options: PlayOptions): Promise<PlayActionResponse> {
    const { signal, patience, requestId = newRequestId(), ...rest } = options;
    const request = { ...this.place, action, requestId, ...rest };
    return this.ask((call) => this.games.playAction(request, call), signal, patience);
  }

  /** Returns the events as this seat may see them, oldest first, over all pages. */
  async events(options: { afterVersion?: bigint; signal?: AbortSignal } = {}): Promise<Event[]> {
    const { signal, ...from } = options;
    const events: Event[] = [];
    let pageToken = "";
    do {
      const request = { ...this.place, pageSize: 1000, pageToken, ...from };
      const page = await this.ask((call) => this.games.listEvents(request, call), signal);
      events.push(...page.events);
      pageToken = page.nextPageToken;
    } while (pageToken);
    return events;
  }

  /** Streams the game until its end; resumes after the last version it delivered. */
  watch(options: WatchOptions = {}): AsyncGenerator<Update, void> {
    const open = (afterVersion: bigint | undefined, signal: AbortSignal) => {
      const from = afterVersion === undefined ? {} : { afterVersion };
      return this.games.watchGame({ ...this.place, ...from }, callOptions(bearer(this.seatToken), signal));
    };
    return follow(open, options);
  }

  async fairness(signal?: AbortSignal): Promise<Fairness> {
    const answer = await this.ask((call) => this.games.getFairness({ gameId: this.gameId }, call), signal);
    return present(answer.fairness);
  }

  async start(): Promise<Game> {
    const request = { ...this.place, requestId: newRequestId() };
    return present((await this.ask((call) => this.games.startGame(request, call))).game);
  }

  /** Gives the seat back before the start. */
  async leave(): Promise<Game> {
    const request = { ...this.place, requestId: newRequestId() };
    return present((await this.ask((call) => this.games.leaveGame(request, call))).game);
  }

  /** Seats a hosted bot before the start. */
  async addBot(botLevel = "", botSeat?: number): Promise<Game> {
    const where = botSeat === undefined ? {} : { botSeat };
    const request = { ...this.place, requestId: newRequestId(), botLevel, ...where };
    return present((await this.ask((call) => this.games.addBot(request, call))).game);
  }

  async resign(): Promise<Game> {
    const request = { ...this.place, requestId: newRequestId() };
    return present((await this.ask((call) => this.games.resign(request, call))).game);
  }

  /** Takes the seat back from the bot that took it over. */
  async reclaim(): Promise<Game> {
    const request = { ...this.place, requestId: newRequestId() };
    return present((await this.ask((call) => this.games.reclaimSeat(request, call))).game);
  }

  /** Undoes the last action, at once or when the others agree. */
  proposeUndo(toVersion?: bigint): Promise<ProposeUndoResponse> {
    const where = toVersion === undefined ? {} : { toVersion };
    const request = { ...this.place, requestId: newRequestId(), ...where };
    return this.ask((call) => this.games.proposeUndo(request, call));
  }

  /** Ends the game without a winner when the others agree. */
  proposeAbandon(): Promise<ProposeAbandonResponse> {
    const request = { ...this.place, requestId: newRequestId() };
    return this.ask((call) => this.games.proposeAbandon(request, call));
  }

  answerProposal(proposalId: string, accept: boolean): Promise<AnswerProposalResponse> {
    const request = { ...this.place, requestId: newRequestId(), proposalId, accept };
    return this.ask((call) => this.games.answerProposal(request, call));
  }

  /**
   * Creates a sandbox from a version of this game. Its seats belong to the caller, but those for which `bots` names
   * a level.
   */
  fork(version?: bigint, bots: readonly string[] = []): Promise<ForkGameResponse> {
    const where = version === undefined ? {} : { version };
    const seats = bots.map((botLevel) => ({ botLevel }));
    const request = { ...this.place, requestId: newRequestId(), seats, ...where };
    return this.ask((call) => this.games.forkGame(request, call));
  }

  /** Takes the same seat in a new game with the same settings. */
  rematch(): Promise<RematchResponse> {
    const request = { ...this.place, requestId: newRequestId() };
    return this.ask((call) => this.games.rematch(request, call));
  }

  /** Returns this seat with a token that is valid for longer. */
  async refreshToken(): Promise<Table> {
    return this.with((await this.ask((call) => this.games.refreshSeatToken({ ...this.place }, call))).seatToken);
  }

  /** Returns this seat with a new token; all earlier ones become invalid. */
  async revokeTokens(): Promise<Table> {
    const request = { ...this.place, requestId: newRequestId() };
    return this.with((await this.ask((call) => this.games.revokeSeatTokens(request, call))).seatToken);
  }

  private with(seatToken: string): Table {
    const { gameId, seat } = this.place;
    return new Table(this.games, gameId, seatToken, this.patience, this.timeoutMilliseconds, seat);
  }

  private ask<T>(call: (options: CallOptions) => Promise<T>, signal?: AbortSignal, patience = this.patience): Promise<T> {
    const { timeoutMilliseconds } = this;
    return persistently(call, this.seatToken, { patience, timeoutMilliseconds, signal });
  }
}

function present<T>(part: T | undefined): T {
  if (part === undefined) throw SheduError.from(new Error("the server's answer lacks what was asked for"));
  return part;
}
