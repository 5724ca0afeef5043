package shedu.client;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import shedu.v1.InboxItem;
import shedu.v1.JoinGameRequest;

/** All games of a caller, played over one inbox. */
final class InboxGames {
    private record Key(String gameId, int seat) {}

    private final BotRunner runner;
    private final SheduClient client;
    private final Subscription<InboxUpdate> inbox;
    private final String title;
    private final int games; // 0 for no limit
    private final Map<Key, SeatPlayer> playing = new ConcurrentHashMap<>();
    private final Set<Key> lost = ConcurrentHashMap.newKeySet();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger over = new AtomicInteger();

    InboxGames(BotRunner runner, SheduClient client, Subscription<InboxUpdate> inbox) {
        this.runner = runner;
        this.client = client;
        this.inbox = inbox;
        this.title = runner.settings().title;
        this.games = runner.settings().games;
    }

    /** Plays until enough games are over, or the inbox is closed. */
    void play() {
        while (inbox.hasNext()) {
            InboxItem item = inbox.next().item();
            if (title.isEmpty() || title.equals(item.getTitle())) {
                take(item);
            }
        }
    }

    private void take(InboxItem item) {
        Key key = new Key(item.getGameId(), item.getSeat());
        SeatPlayer seat = playing.get(key);
        if (seat == null) {
            boolean enough = games > 0 && begun.get() >= games;
            if (enough || item.hasFinished() || lost.contains(key)) {
                return; // a game that was finished before this run, or that is left to others
            }
            seat = runner.seat(client.player(key.gameId(), key.seat()));
            playing.put(key, seat);
            begun.incrementAndGet();
        }
        SeatPlayer found = seat;
        long asked = System.nanoTime();
        runner.inBackground(() -> deal(key, found, item, asked));
    }

    /** Handles an item. */
    private void deal(Key key, SeatPlayer seat, InboxItem item, long askedNanos) {
        boolean succeeded = runner.attempt(seat.player(), () -> {
            switch (item.getKindCase()) {
                case INVITED -> join(key);
                case DECISION -> seat.answer(item.getDecision().getDecisionId(), askedNanos);
                case FINISHED -> seat.finished(item.getFinished().getOutcome());
                default -> {} // started games, proposals, which a bot leaves to people, and what newer servers send
            }
        });
        if (!succeeded) {
            lost.add(key);
        }
        if ((!succeeded || item.hasFinished()) && playing.remove(key) != null && over.incrementAndGet() == games) {
            inbox.close();
        }
    }

    private void join(Key key) {
        JoinGameRequest request = JoinGameRequest.newBuilder()
                .setSeat(key.seat())
                .setDisplayName(runner.settings().name)
                .build();
        try {
            client.game(key.gameId()).join(request);
        } catch (SheduException.AlreadyJoined mine) {
            return; // an inbox repeats what is pending after a break
        } catch (SheduException.NotNow | SheduException.NotFound gone) {
            playing.remove(key);
            begun.decrementAndGet();
        }
    }
}
