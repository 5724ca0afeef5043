package shedu.client;

import java.util.List;
import java.util.Optional;
import shedu.v1.Decision;
import shedu.v1.LegalAction;

/**
 * The open decision of a seat and its legal actions.
 *
 * @param decision empty if the seat has no open decision
 * @param actions everything that may answer it; empty without a decision
 * @param version the version of the game at which they are legal
 */
public record LegalActions(Optional<Decision> decision, List<LegalAction> actions, long version) {}
