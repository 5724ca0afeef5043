package shedu.client;

/** The rules of the title do not allow the action. */
public final class RefusedException extends SheduException {
    private static final long serialVersionUID = 1L;

    RefusedException(Failure failure) {
        super(failure);
    }

    /**
     * {@return the id of the rule, such as "TE-20"; the catalog has its text}
     */
    public String rule() {
        return metadata().getOrDefault(Failure.RULE, "");
    }
}
