package shedu.client;

import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import shedu.v1.Decision;
import shedu.v1.Event;

/** The decisions of one seat, each delivered once; again only after the seat was reclaimed. */
final class Turns implements Subscription<Turn> {
    private final Player player;
    private final Subscription<GameUpdate> updates;
    private final Set<String> handedOn = new HashSet<>();
    private Optional<Turn> next = Optional.empty();

    Turns(Player player, Subscription<GameUpdate> updates) {
        this.player = player;
        this.updates = updates;
    }

    @Override
    public boolean hasNext() {
        while (next.isEmpty() && updates.hasNext()) {
            next = turn(updates.next());
        }
        return next.isPresent();
    }

    @Override
    public Turn next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Turn found = next.get();
        next = Optional.empty();
        return found;
    }

    @Override
    public void close() {
        updates.close();
    }

    private Optional<Turn> turn(GameUpdate update) {
        if (update.events().stream().anyMatch(this::takesBack)) {
            handedOn.clear();
        }
        boolean asked = update.view().getDecisionsList().stream().anyMatch(this::isNew);
        if (!asked) {
            return Optional.empty();
        }
        LegalActions legal = player.legalActions();
        // A decision that was answered meanwhile is no longer open.
        return legal.decision().filter(this::isNew).map(decision -> {
            handedOn.add(decision.getDecisionId());
            return new Turn(player, update.view(), decision, legal.actions());
        });
    }

    private boolean isNew(Decision decision) {
        return decision.getSeat() == player.seat() && !handedOn.contains(decision.getDecisionId());
    }

    private boolean takesBack(Event event) {
        return event.hasSeatReclaimed() && event.getSeatReclaimed().getSeat() == player.seat();
    }
}
