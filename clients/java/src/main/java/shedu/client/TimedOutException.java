package shedu.client;

/** No answer came in time. Whether the call took effect is not known. */
public final class TimedOutException extends SheduException {
    private static final long serialVersionUID = 1L;

    TimedOutException(Failure failure) {
        super(failure);
    }
}
