package shedu.client;

import java.util.List;
import shedu.v1.Decision;
import shedu.v1.LegalAction;
import shedu.v1.PlayActionResponse;
import shedu.v1.View;

/**
 * A decision of a seat.
 *
 * @param player the seat
 * @param view its view
 * @param decision the decision
 * @param actions all legal actions
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
