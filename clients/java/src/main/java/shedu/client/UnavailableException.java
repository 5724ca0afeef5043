package shedu.client;

/** No server answers at the address, the connection broke, or the server's store is away. */
public final class UnavailableException extends SheduException {
    private static final long serialVersionUID = 1L;

    UnavailableException(Failure failure) {
        super(failure);
    }
}
