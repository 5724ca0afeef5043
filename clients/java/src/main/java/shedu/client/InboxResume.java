package shedu.client;

import java.util.Optional;
import shedu.v1.GoAwayReason;
import shedu.v1.WatchInboxRequest;
import shedu.v1.WatchInboxResponse;

/** Where the reader of an inbox stands. That of a caller never ends, that of a seat ends with its game. */
final class InboxResume implements Resume<WatchInboxRequest, WatchInboxResponse, InboxUpdate> {
    private String cursor;
    private boolean over;

    InboxResume(String cursor) {
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
