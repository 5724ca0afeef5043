package shedu.client;

/** The token is valid, but does not permit this call. */
public final class ForbiddenException extends SheduException {
    private static final long serialVersionUID = 1L;

    ForbiddenException(Failure failure) {
        super(failure);
    }
}
