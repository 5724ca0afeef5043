import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallOptions, Client } from "@connectrpc/connect";
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
import { callOptions, type Patience, PATIENCE, persistently } from "./retry.js";
import { follow, type Update, type WatchOptions } from "./watch.js";

/** What a seat may answer now, and the question. */
export interface Choices {
  decision: Decision | undefined;
  actions: LegalAction[];
  version: bigint;
}

export interface PlayOptions {
  decisionId: string;
  /** Refuse unless the game is exactly here. */
  expectedVersion?: bigint;
  /** Only ask whether the action would be accepted. */
  validateOnly?: boolean;
  /** One of the caller's own; left out, a random one that all attempts share. */
  requestId?: string;
  signal?: AbortSignal;
  patience?: Patience;
}

/** One game through the eyes of one seat, or of a spectator. */
export class Table {
  readonly gameId: string;
  readonly seatToken: string | undefined;
  private readonly games: Client<typeof GameService>;
  private readonly patience: Patience;
  private readonly timeoutMilliseconds: number | undefined;

  constructor(
    games: Client<typeof GameService>,
    gameId: string,
    seatToken?: string,
    patience = PATIENCE,
    timeoutMilliseconds?: number,
  ) {
    this.games = games;
    this.gameId = gameId;
    this.seatToken = seatToken;
    this.patience = patience;
    this.timeoutMilliseconds = timeoutMilliseconds;
  }

  /** What this seat knows, now or as it was known at an earlier version. */
  async view(options: { version?: bigint; asSeat?: number; signal?: AbortSignal } = {}): Promise<View> {
    const { signal, ...when } = options;
    const answer = await this.ask((call) => this.games.getView({ gameId: this.gameId, ...when }, call), signal);
    return present(answer.view);
  }

  async game(signal?: AbortSignal): Promise<Game> {
    return present((await this.ask((call) => this.games.getGame({ gameId: this.gameId }, call), signal)).game);
  }

  /** Everything this seat may answer now, over all pages. */
  async legalActions(options: { version?: bigint; signal?: AbortSignal } = {}): Promise<Choices> {
    const { signal, ...when } = options;
    const choices: Choices = { decision: undefined, actions: [], version: 0n };
    let pageToken = "";
    do {
      const request = { gameId: this.gameId, pageToken, ...when };
      const page = await this.ask((call) => this.games.listLegalActions(request, call), signal);
      choices.decision = page.decision;
      choices.version = page.version;
      choices.actions.push(...page.actions);
      pageToken = page.nextPageToken;
    } while (pageToken);
    return choices;
  }

  /** Answers a decision once, however often the call has to be repeated. */
  play(action: MessageInitShape<typeof ActionSchema>, options: PlayOptions): Promise<PlayActionResponse> {
    const { signal, patience = this.patience, requestId = crypto.randomUUID(), ...rest } = options;
    const request = { gameId: this.gameId, action, requestId, ...rest };
    return persistently(() => this.games.playAction(request, this.limited(signal)), patience, signal);
  }

  /** What happened, as this seat may know it, oldest first, over all pages. */
  async events(options: { afterVersion?: bigint; signal?: AbortSignal } = {}): Promise<Event[]> {
    const { signal, ...from } = options;
    const events: Event[] = [];
    let pageToken = "";
    do {
      const request = { gameId: this.gameId, pageSize: 1000, pageToken, ...from };
      const page = await this.ask((call) => this.games.listEvents(request, call), signal);
      events.push(...page.events);
      pageToken = page.nextPageToken;
    } while (pageToken);
    return events;
  }

  /** Follows the game to its end; it comes back by itself after the last version it has told. */
  watch(options: WatchOptions = {}): AsyncGenerator<Update, void> {
    const open = (afterVersion: bigint | undefined, signal: AbortSignal) => {
      const from = afterVersion === undefined ? {} : { afterVersion };
      return this.games.watchGame({ gameId: this.gameId, ...from }, this.options(signal));
    };
    return follow(open, options);
  }

  async fairness(signal?: AbortSignal): Promise<Fairness> {
    const answer = await this.ask((call) => this.games.getFairness({ gameId: this.gameId }, call), signal);
    return present(answer.fairness);
  }

  async start(): Promise<Game> {
    const request = { gameId: this.gameId, requestId: crypto.randomUUID() };
    return present((await this.ask((call) => this.games.startGame(request, call))).game);
  }

  /** Gives the seat back before the start. */
  async leave(): Promise<Game> {
    const request = { gameId: this.gameId, requestId: crypto.randomUUID() };
    return present((await this.ask((call) => this.games.leaveGame(request, call))).game);
  }

  /** Seats a hosted bot before the start. */
  async addBot(botLevel = "", botSeat?: number): Promise<Game> {
    const where = botSeat === undefined ? {} : { botSeat };
    const request = { gameId: this.gameId, requestId: crypto.randomUUID(), botLevel, ...where };
    return present((await this.ask((call) => this.games.addBot(request, call))).game);
  }

  async resign(): Promise<Game> {
    const request = { gameId: this.gameId, requestId: crypto.randomUUID() };
    return present((await this.ask((call) => this.games.resign(request, call))).game);
  }

  /** Takes the seat back from the bot that took it over. */
  async reclaim(): Promise<Game> {
    const request = { gameId: this.gameId, requestId: crypto.randomUUID() };
    return present((await this.ask((call) => this.games.reclaimSeat(request, call))).game);
  }

  /** Takes the last action back, at once or once the others agree. */
  proposeUndo(toVersion?: bigint): Promise<ProposeUndoResponse> {
    const where = toVersion === undefined ? {} : { toVersion };
    const request = { gameId: this.gameId, requestId: crypto.randomUUID(), ...where };
    return this.ask((call) => this.games.proposeUndo(request, call));
  }

  /** Ends the game without a winner once the others agree. */
  proposeAbandon(): Promise<ProposeAbandonResponse> {
    const request = { gameId: this.gameId, requestId: crypto.randomUUID() };
    return this.ask((call) => this.games.proposeAbandon(request, call));
  }

  answerProposal(proposalId: string, accept: boolean): Promise<AnswerProposalResponse> {
    const request = { gameId: this.gameId, requestId: crypto.randomUUID(), proposalId, accept };
    return this.ask((call) => this.games.answerProposal(request, call));
  }

  /** Opens a sandbox from a version of this game; all its seats are the caller's. */
  fork(version?: bigint): Promise<ForkGameResponse> {
    const where = version === undefined ? {} : { version };
    const request = { gameId: this.gameId, requestId: crypto.randomUUID(), ...where };
    return this.ask((call) => this.games.forkGame(request, call));
  }

  /** Sits down on the same seat of a new game of the same kind. */
  rematch(): Promise<RematchResponse> {
    const request = { gameId: this.gameId, requestId: crypto.randomUUID() };
    return this.ask((call) => this.games.rematch(request, call));
  }

  private ask<T>(call: (options: CallOptions) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return persistently(() => call(this.limited(signal)), this.patience, signal);
  }

  /** Of a call that may take only so long. */
  private limited(signal?: AbortSignal): CallOptions {
    return callOptions(this.headers(), signal, this.timeoutMilliseconds);
  }

  private options(signal?: AbortSignal): CallOptions {
    return callOptions(this.headers(), signal);
  }

  private headers(): Record<string, string> {
    return this.seatToken ? { Authorization: `Bearer ${this.seatToken}` } : {};
  }
}

function present<T>(part: T | undefined): T {
  if (part === undefined) throw SheduError.from(new Error("the server's answer lacks what was asked for"));
  return part;
}
