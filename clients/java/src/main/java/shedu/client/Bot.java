package shedu.client;

import shedu.v1.LegalAction;

/**
 * A bot is one function, such as {@code turn -> turn.actions().get(0)}, or a class with this method and state of its
 * own.
 */
@FunctionalInterface
public interface Bot {
    /**
     * Chooses an action.
     *
     * @param turn what the seat knows, what it is asked, and everything that it may answer, which is never empty;
     *     {@code turn.player().events(0)} lists what the seat has witnessed
     * @return one of the actions
     * @throws Exception whatever goes wrong; the {@link BotRunner} counts it and answers instead
     */
    LegalAction decide(Turn turn) throws Exception;
}
