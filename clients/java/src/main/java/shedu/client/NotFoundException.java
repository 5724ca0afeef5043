package shedu.client;

/** No such title, game or seat, or none that the caller may know of. */
public final class NotFoundException extends SheduException {
    private static final long serialVersionUID = 1L;

    NotFoundException(Failure failure) {
        super(failure);
    }
}
