package shedu.client;

/** The server does not know this method, or what answers at the address does not speak gRPC. */
public final class NotOfferedException extends SheduException {
    private static final long serialVersionUID = 1L;

    NotOfferedException(Failure failure) {
        super(failure);
    }
}
