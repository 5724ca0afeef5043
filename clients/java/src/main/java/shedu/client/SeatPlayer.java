package shedu.client;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import shedu.v1.Decision;
import shedu.v1.LegalAction;
import shedu.v1.Outcome;

/** One seat that a bot plays. */
final class SeatPlayer {
    private final BotRunner runner;
    private final Player player;
    private volatile Bot bot;
    private boolean seen;

    SeatPlayer(BotRunner runner, Player player) {
        this.runner = runner;
        this.player = player;
    }

    Player player() {
        return player;
    }

    /** Takes the seat back if a bot of the server took it over; returns whether it did. */
    boolean reclaim() {
        if (!player.game().getSeats(player.seat()).getTakenOver()) {
            return false;
        }
        try {
            player.reclaim();
        } catch (SheduException.NotNow over) {
            return false; // that bot has ended the game, or another process of this bot was faster
        }
        return true;
    }

    /**
     * Answers a decision that an inbox told of, unless it is no longer open. One call at a time: an inbox tells the
     * same decision again after a break, perhaps while it is being answered.
     */
    synchronized void answer(String decisionId, long askedNanos) {
        double queued = (System.nanoTime() - askedNanos) / 1e9;
        if (!seen) {
            reclaim();
            seen = true;
        }
        boolean again = true;
        while (again) {
            LegalActions legal = player.legalActions();
            Optional<Decision> open = legal.decision().filter(each -> each.getDecisionId().equals(decisionId));
            again = open.isPresent()
                    && answer(new Turn(player, player.view(legal.version()), open.get(), legal.actions()), queued);
        }
    }

    /** Counts the game, once the answer that may have ended it is acknowledged and counted. */
    synchronized void finished(Outcome outcome) {
        runner.report().finished(player.seat(), outcome);
    }

    /**
     * Answers a decision that waited for so many seconds; whether the answer was late and the seat was taken back, so
     * that it is asked again.
     */
    boolean answer(Turn turn, double queuedSeconds) {
        Optional<LegalAction> chosen = chosen(turn, queuedSeconds);
        long begun = System.nanoTime();
        try {
            if (chosen.isPresent()) {
                turn.play(chosen.get());
            } else {
                player.resign();
            }
        } catch (SheduException.Stale | SheduException.NotNow late) {
            // Another answered: the clock, an undo, or a second process of this bot.
            runner.report().wasLate();
            return reclaim();
        }
        runner.report().decided((System.nanoTime() - begun) / 1e9);
        return false;
    }

    /** Returns the action of the bot or, if it failed, the first one; empty to resign. */
    private Optional<LegalAction> chosen(Turn turn, double queuedSeconds) {
        String decisionId = turn.decision().getDecisionId();
        try {
            BotThreads.Answer<LegalAction> answer = runner.threads().ask(() -> decide(turn));
            runner.report().thought(queuedSeconds + answer.waited(), answer.took());
            Optional<LegalAction> legal = legal(answer.value(), turn.actions());
            if (legal.isPresent()) {
                return legal;
            }
            runner.failures().wrongAnswer(decisionId);
        } catch (TimeoutException slow) {
            bot = null; // it may still be at it; another one goes on
            runner.failures().tooSlow(decisionId);
        } catch (ExecutionException thrown) {
            runner.failures().threw(decisionId, thrown.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Failure.cancelled("the runner is closed");
        }
        runner.report().failed();
        return runner.settings().resignOnFailure ? Optional.empty() : Optional.of(turn.actions().get(0));
    }

    private LegalAction decide(Turn turn) throws Exception {
        if (bot == null) {
            bot = runner.settings().bots.get();
        }
        return bot.decide(turn);
    }

    private static Optional<LegalAction> legal(LegalAction answer, List<LegalAction> actions) {
        return actions.stream()
                .filter(action -> answer != null && action.getAction().equals(answer.getAction()))
                .findFirst();
    }
}
