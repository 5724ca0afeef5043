package shedu.client;

/** The game has not reached the version that was asked for. */
public final class VersionInFutureException extends SheduException {
    private static final long serialVersionUID = 1L;

    VersionInFutureException(Failure failure) {
        super(failure);
    }
}
