package shedu.client;

/** The call needs a token, or the token is invalid or has expired. */
public final class UnauthenticatedException extends SheduException {
    private static final long serialVersionUID = 1L;

    UnauthenticatedException(Failure failure) {
        super(failure);
    }
}
