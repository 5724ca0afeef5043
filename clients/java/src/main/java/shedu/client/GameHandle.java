package shedu.client;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import shedu.v1.Event;
import shedu.v1.Fairness;
import shedu.v1.ForkGameRequest;
import shedu.v1.ForkGameResponse;
import shedu.v1.Game;
import shedu.v1.GameServiceGrpc;
import shedu.v1.GetFairnessRequest;
import shedu.v1.GetGameRequest;
import shedu.v1.GetViewRequest;
import shedu.v1.JoinGameRequest;
import shedu.v1.JoinGameResponse;
import shedu.v1.ListEventsRequest;
import shedu.v1.ListEventsResponse;
import shedu.v1.Outcome;
import shedu.v1.View;

/** One game as the holder of a token sees it: the token of a seat, of a spectator, or of a caller. */
public class GameHandle {
    static final int PAGE = 1000;
    private static final JsonFormat.Printer JSON = JsonFormat.printer().omittingInsignificantWhitespace();

    private final Connection connection;
    private final String id;
    private final String inviteCode;
    private final String spectatorToken;
    private volatile String token;

    GameHandle(Connection connection, String id, String token, String inviteCode, String spectatorToken) {
        this.connection = connection;
        this.id = id;
        this.token = token.isEmpty() ? spectatorToken : token;
        this.inviteCode = inviteCode;
        this.spectatorToken = spectatorToken;
    }

    /**
     * {@return the id of the game}
     */
    public String id() {
        return id;
    }

    /**
     * {@return what others need to join a private game that this client created; empty for any other}
     */
    public String inviteCode() {
        return inviteCode;
    }

    /**
     * {@return what spectators need to watch a game that this client created, where its policy asks for a token; empty
     * for any other}
     */
    public String spectatorToken() {
        return spectatorToken;
    }

    /**
     * {@return who sits where, and how far the game has got}
     */
    public Game game() {
        GetGameRequest request = GetGameRequest.newBuilder().setGameId(id).build();
        return call(GameServiceGrpc.getGetGameMethod(), request).getGame();
    }

    /**
     * {@return how the game ended, if it is over}
     */
    public Optional<Outcome> outcome() {
        Game game = game();
        return game.hasOutcome() ? Optional.of(game.getOutcome()) : Optional.empty();
    }

    /**
     * {@return what the caller knows now}
     */
    public View view() {
        return view(GetViewRequest.getDefaultInstance());
    }

    /**
     * Shows what the caller knew earlier.
     *
     * @param version the version of the game
     * @return what was known then
     */
    public View view(long version) {
        return view(GetViewRequest.newBuilder().setVersion(version).build());
    }

    /**
     * Shows what the caller knows, as the contract offers it: at a version or, after the end, as another seat.
     *
     * @param request its game and seat are filled in
     * @return the view
     */
    public View view(GetViewRequest request) {
        GetViewRequest.Builder complete = request.toBuilder().setGameId(id);
        seatNumber().ifPresent(complete::setSeat);
        return call(GameServiceGrpc.getGetViewMethod(), complete.build()).getView();
    }

    /**
     * Lists what happened until now, oldest first.
     *
     * @param afterVersion the last version that is already known; 0 for all events
     * @return the events, asked for page by page while they are iterated
     */
    public Iterable<Event> events(long afterVersion) {
        ListEventsRequest.Builder request =
                ListEventsRequest.newBuilder().setGameId(id).setAfterVersion(afterVersion).setPageSize(PAGE);
        seatNumber().ifPresent(request::setSeat);
        ListEventsRequest first = request.build();
        return Pages.of(
                page -> call(
                        GameServiceGrpc.getListEventsMethod(), first.toBuilder().setPageToken(page).build()),
                ListEventsResponse::getEventsList,
                ListEventsResponse::getNextPageToken);
    }

    /**
     * Watches the game until it is over. The first update is what the caller knows now; then comes every version once,
     * in order, across broken connections and restarts of the server.
     *
     * @return the updates
     */
    public Subscription<GameUpdate> watch() {
        return watch(new StreamPosition.OfGame(id, seatNumber()));
    }

    /**
     * Watches the game from an earlier version until it is over: every version once, in order.
     *
     * @param afterVersion the last version that was already seen; 0 begins with the first event
     * @return the updates
     */
    public Subscription<GameUpdate> watch(long afterVersion) {
        return watch(new StreamPosition.OfGame(id, seatNumber(), afterVersion));
    }

    private Subscription<GameUpdate> watch(StreamPosition.OfGame position) {
        return connection.follow(GameServiceGrpc.getWatchGameMethod(), position, () -> token);
    }

    /**
     * {@return what the luck of the game is bound to and, after its end, the seed}
     */
    public Fairness fairness() {
        GetFairnessRequest request = GetFairnessRequest.newBuilder().setGameId(id).build();
        return call(GameServiceGrpc.getGetFairnessMethod(), request).getFairness();
    }

    /**
     * Exports a finished game as JSON lines, from which {@code shedu replay} and {@code shedu verify} read it.
     *
     * @return the content of the file
     * @throws SheduException.NotNow while the game goes on
     */
    public String export() {
        Game game = game();
        if (!game.hasOutcome()) {
            String message = "game " + id + " is not over";
            throw new SheduException.NotNow(Failure.local(Status.Code.FAILED_PRECONDITION, message));
        }
        String header = json(game.toBuilder().clearOutcome());
        StringBuilder lines = new StringBuilder("{\"format\":\"shedu-game\",\"formatVersion\":1,");
        lines.append(header, 1, header.length()).append('\n');
        events(0).forEach(event -> lines.append(json(event)).append('\n'));
        return lines.append("{\"outcome\":").append(json(game.getOutcome())).append("}\n").toString();
    }

    /**
     * Takes the first open seat.
     *
     * @param displayName shown to everyone at the table; may be empty
     * @return the seat
     */
    public Player join(String displayName) {
        return join(JoinGameRequest.newBuilder().setDisplayName(displayName).build());
    }

    /**
     * Takes a seat, as the contract offers it: a certain one, with an invite code, or with luck of the caller's own.
     *
     * @param request its game is filled in; the invite code, if this client created the game, and a request id are
     *     added if it has none
     * @return the seat
     */
    public Player join(JoinGameRequest request) {
        JoinGameRequest.Builder complete = request.toBuilder().setGameId(id);
        if (request.getInviteCode().isEmpty()) {
            complete.setInviteCode(inviteCode);
        }
        if (request.getRequestId().isEmpty()) {
            complete.setRequestId(SheduClient.newRequestId());
        }
        JoinGameResponse joined = call(GameServiceGrpc.getJoinGameMethod(), complete.build());
        return new Player(connection, id, joined.getSeat(), joined.getSeatToken());
    }

    /**
     * Creates a sandbox with the position of now.
     *
     * @return its seats, all of which are the caller's
     */
    public List<Player> fork() {
        return fork(ForkGameRequest.getDefaultInstance());
    }

    /**
     * Creates a sandbox with an earlier position.
     *
     * @param version the version of the game
     * @return its seats, all of which are the caller's
     */
    public List<Player> fork(long version) {
        return fork(ForkGameRequest.newBuilder().setVersion(version).build());
    }

    private List<Player> fork(ForkGameRequest request) {
        ForkGameRequest.Builder complete = request.toBuilder().setGameId(id).setRequestId(SheduClient.newRequestId());
        seatNumber().ifPresent(complete::setSeat);
        ForkGameResponse made = call(GameServiceGrpc.getForkGameMethod(), complete.build());
        List<Player> players = new ArrayList<>();
        for (String seatToken : made.getSeatTokensList()) {
            players.add(new Player(connection, made.getGame().getGameId(), players.size(), seatToken));
        }
        return List.copyOf(players);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + id + "]";
    }

    /** The seat that calls are for; none for a spectator. */
    OptionalInt seatNumber() {
        return OptionalInt.empty();
    }

    <Q, A> A call(MethodDescriptor<Q, A> method, Q request) {
        return connection.call(method, request, token);
    }

    Connection connection() {
        return connection;
    }

    String currentToken() {
        return token;
    }

    void useToken(String newToken) {
        token = newToken;
    }

    private static String json(MessageOrBuilder message) {
        try {
            return JSON.print(message);
        } catch (InvalidProtocolBufferException unknownType) {
            throw new IllegalStateException(unknownType); // only for google.protobuf.Any, which games do not contain
        }
    }
}
