package shedu.client;

/** A fault of the service. */
public final class FaultException extends SheduException {
    private static final long serialVersionUID = 1L;

    FaultException(Failure failure) {
        super(failure);
    }
}
