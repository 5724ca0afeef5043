package shedu.client;

/** A limit of the server is reached; {@link #retryAfter()} says when to try again. */
public final class TooMuchException extends SheduException {
    private static final long serialVersionUID = 1L;

    TooMuchException(Failure failure) {
        super(failure);
    }
}
