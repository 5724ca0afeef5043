package shedu.client;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import shedu.v1.InboxItem;
import shedu.v1.JoinGameRequest;

/** All games of a caller, played over one inbox. */
final class InboxGames {
    private record Key(String gameId, int seat) {}

    private final BotRunner runner;
    private final SheduClient client;
    private final String title;
    private final Map<Key, SeatPlayer> playing = new ConcurrentHashMap<>();
    private int finished;

    InboxGames(BotRunner runner, SheduClient client, String title) {
        this.runner = runner;
        this.client = client;
        this.title = title;
    }

    /** Until so many games are over; 0 for no end but that of the inbox. */
    void play(Subscription<InboxUpdate> inbox, int count) {
        while ((count == 0 || finished < count) && inbox.hasNext()) {
            InboxItem item = inbox.next().item();
            if (title.isEmpty() || title.equals(item.getTitle())) {
                take(item);
            }
        }
    }

    private void take(InboxItem item) {
        Key key = new Key(item.getGameId(), item.getSeat());
        if (item.hasFinished()) {
            SeatPlayer seat = playing.remove(key);
            if (seat != null) { // otherwise it was counted before a break
                finished++;
                seat.finished(item.getFinished().getOutcome());
            }
            return;
        }
        SeatPlayer seat =
                playing.computeIfAbsent(key, known -> runner.seat(client.player(known.gameId(), known.seat())));
        long asked = System.nanoTime();
        switch (item.getKindCase()) {
            case INVITED -> runner.inBackground(seat.player(), () -> join(item));
            case DECISION -> runner.inBackground(
                    seat.player(), () -> seat.answer(item.getDecision().getDecisionId(), asked));
            default -> {} // started games, proposals, which a bot leaves to people, and what newer servers send
        }
    }

    private void join(InboxItem item) {
        JoinGameRequest request =
                JoinGameRequest.newBuilder().setSeat(item.getSeat()).setDisplayName(runner.name()).build();
        try {
            client.game(item.getGameId()).join(request);
        } catch (AlreadyJoinedException mine) {
            return; // told again after a break
        } catch (NotNowException | NotFoundException gone) {
            playing.remove(new Key(item.getGameId(), item.getSeat()));
        }
    }
}
