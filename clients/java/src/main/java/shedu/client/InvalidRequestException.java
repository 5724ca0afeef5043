package shedu.client;

import com.google.rpc.BadRequest;
import java.util.List;

/** A field of the request has a value that is not allowed. */
public final class InvalidRequestException extends SheduException {
    private static final long serialVersionUID = 1L;

    InvalidRequestException(Failure failure) {
        super(failure);
    }

    /**
     * {@return what is wrong, field by field; empty if the server named no field}
     */
    public List<FieldViolation> violations() {
        return detail(BadRequest.class).map(BadRequest::getFieldViolationsList).orElse(List.of()).stream()
                .map(each -> new FieldViolation(each.getField(), each.getDescription()))
                .toList();
    }

    /**
     * What is wrong with one field.
     *
     * @param field the field of the request, as the contract spells it
     * @param description what is wrong with it
     */
    public record FieldViolation(String field, String description) {}
}
