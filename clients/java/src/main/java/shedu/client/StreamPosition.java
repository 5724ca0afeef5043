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
import shedu.v1.WatchInboxRequest;
import shedu.v1.WatchInboxResponse;

/**
 * The position of the receiver of a stream, which makes the request that resumes it.
 *
 * @param <Q> the request that opens the stream
 * @param <A> the messages of the stream
 * @param <T> what the receiver gets
 */
interface StreamPosition<Q, A, T> {
    /** Whether the stream has ended for good. */
    boolean isOver();

    /** The request for what the receiver does not have yet. */
    Q request();

    /** What the receiver gets; empty for messages that are about the stream itself. */
    Optional<T> take(A message);

    /** The receiver has dealt with the message: it need not be sent again. */
    default void dealt(A message) {}

    /** The position of the watcher of a game: every version once, in order. */
    final class OfGame implements StreamPosition<WatchGameRequest, WatchGameResponse, GameUpdate> {
        private static final long NOT_BEGUN = -1;

        private final String gameId;
        private final OptionalInt seat;
        private long version;
        private boolean live;
        private boolean over;

        /** Begins with the current view. */
        OfGame(String gameId, OptionalInt seat) {
            this(gameId, seat, NOT_BEGUN);
        }

        OfGame(String gameId, OptionalInt seat, long afterVersion) {
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
                    // After a reason that this client does not know, the stream is resumed.
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

        private SheduException.Fault gap(long next) {
            String message = "the stream of game " + gameId + " skips from version " + version + " to " + next;
            return new SheduException.Fault(Failure.local(Status.Code.INTERNAL, message));
        }
    }

    /** The position in an inbox. The inbox of a caller never ends, that of a seat ends with its game. */
    final class OfInbox implements StreamPosition<WatchInboxRequest, WatchInboxResponse, InboxUpdate> {
        private String cursor;
        private boolean over;

        OfInbox(String cursor) {
            this.cursor = cursor;
        }

        @Override
        public boolean isOver() {
            return over;
        }

        @Override
        public WatchInboxRequest request() {
            return WatchInboxRequest.newBuilder().setCursor(cursor).build();
        }

        @Override
        public Optional<InboxUpdate> take(WatchInboxResponse message) {
            over = message.getGoAway().getReason() == GoAwayReason.GO_AWAY_REASON_FINISHED;
            return message.hasItem()
                    ? Optional.of(new InboxUpdate(message.getItem(), message.getCursor()))
                    : Optional.empty();
        }

        @Override
        public void dealt(WatchInboxResponse message) {
            if (!message.getCursor().isEmpty()) {
                cursor = message.getCursor();
            }
        }
    }
}
