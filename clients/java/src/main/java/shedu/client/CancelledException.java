package shedu.client;

/** The calling thread was interrupted, or the client was closed, before an answer came. */
public final class CancelledException extends SheduException {
    private static final long serialVersionUID = 1L;

    CancelledException(Failure failure) {
        super(failure);
    }
}
