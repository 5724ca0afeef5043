package shedu.client;

/** The request itself is larger than the server accepts. */
public final class TooLargeException extends SheduException {
    private static final long serialVersionUID = 1L;

    TooLargeException(Failure failure) {
        super(failure);
    }
}
