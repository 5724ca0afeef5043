package shedu.client;

import java.util.List;
import shedu.v1.Decision;
import shedu.v1.LegalAction;
import shedu.v1.View;

/** A bot is one function, such as {@code (view, decision, actions) -> actions.get(0)}. */
@FunctionalInterface
public interface Bot {
    /**
     * Chooses an action.
     *
     * @param view what the seat knows
     * @param decision what it is asked
     * @param actions everything that it may answer; never empty
     * @return one of the actions
     * @throws Exception whatever goes wrong; the {@link BotRunner} reports it and answers instead
     */
    LegalAction decide(View view, Decision decision, List<LegalAction> actions) throws Exception;
}
