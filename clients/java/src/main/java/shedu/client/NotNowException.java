package shedu.client;

/** The game is not in the state for this call; {@link #reason()} says why, such as GAME_FULL. */
public final class NotNowException extends SheduException {
    private static final long serialVersionUID = 1L;

    NotNowException(Failure failure) {
        super(failure);
    }
}
