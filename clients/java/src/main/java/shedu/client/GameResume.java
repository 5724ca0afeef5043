package shedu.client;

import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import shedu.v1.Event;
import shedu.v1.GoAwayReason;
import shedu.v1.Happened;
import shedu.v1.View;
import shedu.v1.WatchGameRequest;
import shedu.v1.WatchGameResponse;

/** How far the watcher of a game has got: every version once, in order. */
final class GameResume implements Resume<WatchGameRequest, WatchGameResponse, GameUpdate> {
    private static final long NOT_BEGUN = -1;

    private final String gameId;
    private final OptionalInt seat;
    private long version;
    private boolean live;
    private boolean over;

    /** Begins with what is known now. */
    GameResume(String gameId, OptionalInt seat) {
        this(gameId, seat, NOT_BEGUN);
    }

    GameResume(String gameId, OptionalInt seat, long afterVersion) {
        this.gameId = gameId;
        this.seat = seat;
        this.version = afterVersion;
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public WatchGameRequest request() {
        WatchGameRequest.Builder request = WatchGameRequest.newBuilder().setGameId(gameId);
        if (version != NOT_BEGUN) {
            request.setAfterVersion(version);
        }
        seat.ifPresent(request::setSeat);
        return request.build();
    }

    @Override
    public Optional<GameUpdate> take(WatchGameResponse message) {
        switch (message.getKindCase()) {
            case SNAPSHOT:
                return begun(message.getSnapshot());
            case HAPPENED:
                return happened(message.getHappened());
            case CAUGHT_UP:
                live = true;
                return Optional.empty();
            case GO_AWAY:
                // A reason that this client does not know is one to come back after.
                over = message.getGoAway().getReason() == GoAwayReason.GO_AWAY_REASON_FINISHED;
                return Optional.empty();
            default: // heartbeats, and what newer servers may send
                return Optional.empty();
        }
    }

    private Optional<GameUpdate> begun(View view) {
        if (version == NOT_BEGUN) {
            version = view.getVersion();
            return Optional.of(new GameUpdate(view, List.of(), false));
        }
        if (view.getVersion() > version) {
            throw gap(view.getVersion());
        }
        return Optional.empty();
    }

    private Optional<GameUpdate> happened(Happened happened) {
        long seen = Math.max(version, 0);
        List<Event> news = happened.getEventsList().stream()
                .filter(event -> event.getVersion() > seen)
                .toList();
        if (news.isEmpty()) {
            return Optional.empty();
        }
        if (news.get(0).getVersion() != seen + 1) {
            throw gap(news.get(0).getVersion());
        }
        version = news.get(news.size() - 1).getVersion();
        return Optional.of(new GameUpdate(happened.getView(), news, live));
    }

    private FaultException gap(long next) {
        String message = "the stream of game " + gameId + " skips from version " + version + " to " + next;
        return new FaultException(Failure.local(Status.Code.INTERNAL, message));
    }
}
