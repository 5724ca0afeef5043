package shedu.client;

/** The caller already has a seat in this game. */
public final class AlreadyJoinedException extends SheduException {
    private static final long serialVersionUID = 1L;

    AlreadyJoinedException(Failure failure) {
        super(failure);
    }
}
