package shedu.client;

import java.util.List;
import shedu.v1.Decision;
import shedu.v1.LegalAction;
import shedu.v1.PlayActionResponse;
import shedu.v1.View;

/**
 * A decision that a seat is asked for.
 *
 * @param player the seat
 * @param view what it knows
 * @param decision what it is asked
 * @param actions everything that it may answer
 */
public record Turn(Player player, View view, Decision decision, List<LegalAction> actions) {
    /**
     * Answers with one of the actions.
     *
     * @param action one of {@link #actions}
     * @return what happened, and what the seat knows afterwards
     * @throws SheduException.Stale if the decision is no longer open
     */
    public PlayActionResponse play(LegalAction action) {
        return player.play(action, decision);
    }
}
