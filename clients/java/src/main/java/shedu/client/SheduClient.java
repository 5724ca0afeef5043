package shedu.client;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import shedu.v1.CatalogServiceGrpc;
import shedu.v1.CreateGameRequest;
import shedu.v1.CreateGameResponse;
import shedu.v1.Game;
import shedu.v1.GameServiceGrpc;
import shedu.v1.GetTitleRequest;
import shedu.v1.ListGamesRequest;
import shedu.v1.ListGamesResponse;
import shedu.v1.ListTitlesRequest;
import shedu.v1.ListTitlesResponse;
import shedu.v1.SeatPlan;
import shedu.v1.Title;

/**
 * A server of games: games are created, found and entered here. Any number of threads may use it.
 *
 * <p>A call waits for its answer. While no server answers it is made again, with growing and random pauses, for as long
 * as {@link SheduClientBuilder#patience} says. A call that changes something carries a request id, the same in every
 * attempt, so that it takes effect once. Every call throws a {@link SheduException} where trying again does not help.
 */
public final class SheduClient implements AutoCloseable {
    /** For {@link SheduClientBuilder#patience}: calls and streams are tried again without end. */
    public static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    private static final int PAGE = 100;

    private final Connection connection;
    private final String token;

    SheduClient(Connection connection, String token) {
        this.connection = connection;
        this.token = token;
    }

    /**
     * Connects to a server; nothing is sent before the first call.
     *
     * @param server {@code host:port}, {@code grpc://host:port} or, with TLS, {@code grpcs://host}
     * @return the server, with the token that the environment variable SHEDU_TOKEN has, if any
     * @throws IllegalArgumentException if that is no address
     */
    public static SheduClient connect(String server) {
        return builder().server(server).build();
    }

    /**
     * Connects to the server that SHEDU_SERVER names, or to {@code localhost:50051}.
     *
     * @return the server, with the token that SHEDU_TOKEN has, if any
     * @throws IllegalArgumentException if SHEDU_SERVER is no address
     */
    public static SheduClient connect() {
        return builder().build();
    }

    /**
     * {@return a builder for connections with a token, certificates, or another patience}
     */
    public static SheduClientBuilder builder() {
        return new SheduClientBuilder();
    }

    /**
     * {@return the host and the port of the server}
     */
    public String target() {
        return connection.target();
    }

    /**
     * {@return every title that the server hosts}
     */
    public List<Title> titles() {
        List<Title> found = new ArrayList<>();
        Pages.of(this::titlePage, ListTitlesResponse::getTitlesList, ListTitlesResponse::getNextPageToken)
                .forEach(found::add);
        return List.copyOf(found);
    }

    private ListTitlesResponse titlePage(String pageToken) {
        ListTitlesRequest request =
                ListTitlesRequest.newBuilder().setPageSize(PAGE).setPageToken(pageToken).build();
        return connection.call(CatalogServiceGrpc.getListTitlesMethod(), request, token);
    }

    /**
     * Describes one title: its seats, options, rules and hosted bots.
     *
     * @param title the id of the title, such as "tides"
     * @return its description
     */
    public Title title(String title) {
        GetTitleRequest request = GetTitleRequest.newBuilder().setTitle(title).build();
        return connection.call(CatalogServiceGrpc.getGetTitleMethod(), request, token).getTitle();
    }

    /**
     * Creates a public game with as few seats as the title allows, at least one of them open where the title has as
     * many.
     *
     * @param title the id of the title, such as "tides"
     * @param bots levels of hosted bots, which sit on the last seats
     * @return the game; nobody but the bots sits there yet
     */
    public GameHandle create(String title, String... bots) {
        CreateGameRequest.Builder request = CreateGameRequest.newBuilder().setTitle(title);
        if (bots.length > 0) {
            Title found = title(title);
            int seats = Math.min(Math.max(found.getMinSeats(), bots.length + 1), found.getMaxSeats());
            for (int open = bots.length; open < seats; open++) {
                request.addSeats(SeatPlan.getDefaultInstance());
            }
            Arrays.stream(bots).forEach(level -> request.addSeats(SeatPlan.newBuilder().setBotLevel(level)));
        }
        return create(request.build());
    }

    /**
     * Creates a game with options, a clock, reserved seats, or whatever else the contract offers.
     *
     * @param request the game; a request id is added if it has none
     * @return the game
     */
    public GameHandle create(CreateGameRequest request) {
        CreateGameRequest complete = request.getRequestId().isEmpty()
                ? request.toBuilder().setRequestId(SheduClient.newRequestId()).build()
                : request;
        CreateGameResponse made = connection.call(GameServiceGrpc.getCreateGameMethod(), complete, token);
        return new GameHandle(
                connection, made.getGame().getGameId(), token, made.getInviteCode(), made.getSpectatorToken());
    }

    /**
     * A game that is there already, through the eyes of this client's caller. Nothing is sent.
     *
     * @param gameId the id of the game
     * @return the game
     */
    public GameHandle game(String gameId) {
        return game(gameId, token);
    }

    /**
     * A game that is there already, through the eyes of whoever has the token. Nothing is sent.
     *
     * @param gameId the id of the game
     * @param token of a spectator, where the game asks for one, or of a seat
     * @return the game
     */
    public GameHandle game(String gameId, String token) {
        return new GameHandle(connection, gameId, token, "", "");
    }

    /**
     * A seat that this client's caller took earlier, by its identity. Nothing is sent.
     *
     * @param gameId the id of the game
     * @param seat the number of the seat, from 0
     * @return the seat
     */
    public Player player(String gameId, int seat) {
        return player(gameId, seat, token);
    }

    /**
     * A seat that was taken earlier, by its token. Nothing is sent.
     *
     * @param gameId the id of the game
     * @param seat the number of the seat, from 0
     * @param token the token of the seat
     * @return the seat
     */
    public Player player(String gameId, int seat, String token) {
        return new Player(connection, gameId, seat, token);
    }

    /**
     * Lists public games, or the caller's own, newest first.
     *
     * @param filter which games; its page size and page token are ignored
     * @return the games, asked for page by page while they are iterated
     */
    public Iterable<Game> games(ListGamesRequest filter) {
        return Pages.of(
                pageToken -> {
                    ListGamesRequest request =
                            filter.toBuilder().setPageSize(PAGE).setPageToken(pageToken).build();
                    return connection.call(GameServiceGrpc.getListGamesMethod(), request, token);
                },
                ListGamesResponse::getGamesList,
                ListGamesResponse::getNextPageToken);
    }

    /**
     * What wants the caller's attention in all of its games: everything that is pending, then news. It needs an
     * identity, and never ends. After a break it begins again with what is still pending, so nothing is missed.
     *
     * @return the inbox
     */
    public Subscription<InboxUpdate> inbox() {
        return inbox("");
    }

    /**
     * The same, which also tells what started or ended after a cursor.
     *
     * @param cursor the last cursor that was dealt with; empty to begin with what is pending
     * @return the inbox
     */
    public Subscription<InboxUpdate> inbox(String cursor) {
        return connection.follow(GameServiceGrpc.getWatchInboxMethod(), new StreamPosition.OfInbox(cursor), () -> token);
    }

    /**
     * {@return a new request id, with which a call that is made twice takes effect once}
     */
    public static String newRequestId() {
        return UUID.randomUUID().toString();
    }

    /** Ends all calls and streams. */
    @Override
    public void close() {
        connection.close();
    }

    @Override
    public String toString() {
        return "SheduClient[" + connection.target() + "]";
    }
}
