package shedu.client;

/** The server cannot read the log of this game. */
public final class UnreadableException extends SheduException {
    private static final long serialVersionUID = 1L;

    UnreadableException(Failure failure) {
        super(failure);
    }
}
