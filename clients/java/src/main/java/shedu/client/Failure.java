package shedu.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A failed call as the wire tells it, and which exception it becomes. */
record Failure(Status.Code code, String message, ErrorInfo info, List<Any> details, Throwable cause) {
    static final String RULE = "rule";
    private static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
    private static final Set<String> TOO_LARGE = Set.of("REQUEST_TOO_LARGE", "HEADERS_TOO_LARGE");
    /** How grpc-java reports an answer that is not HTTP/2, or is a page instead of gRPC. */
    private static final List<String> NOT_GRPC =
            List.of("http/1.x", "not an HTTP/2", "First received frame was not SETTINGS", "invalid content-type");

    private static final String NOT_GRPC_HINT =
            "this is a port of HTTP, such as that of REST; gRPC is another one, by default 50051";

    /** A failure that this client noticed itself. */
    static Failure local(Status.Code code, String message) {
        return new Failure(code, message, ErrorInfo.getDefaultInstance(), List.of(), null);
    }

    static SheduException exception(StatusRuntimeException thrown) {
        Status status = thrown.getStatus();
        List<Any> details = details(thrown.getTrailers());
        ErrorInfo info = find(details, ErrorInfo.class).orElse(ErrorInfo.getDefaultInstance());
        String message = message(status);
        return new Failure(status.getCode(), message, info, details, thrown).exception();
    }

    static SheduException cancelled(String message) {
        return new CancelledException(local(Status.Code.CANCELLED, message));
    }

    private Failure withMessage(String other) {
        return new Failure(code, other, info, details, cause);
    }

    String text() {
        return info.getReason().isEmpty() ? message : message + " (" + info.getReason() + ")";
    }

    <M extends Message> Optional<M> detail(Class<M> type) {
        return find(details, type);
    }

    /** Whether something answered that is not a gRPC server, which no further attempt changes. */
    private boolean isNotGrpc() {
        return info.getReason().isEmpty() && NOT_GRPC.stream().anyMatch(message::contains);
    }

    private SheduException exception() {
        boolean answered = !info.getReason().isEmpty();
        if (isNotGrpc()) {
            return new NotOfferedException(withMessage(NOT_GRPC_HINT));
        }
        if (TOO_LARGE.contains(info.getReason())) {
            return new TooLargeException(this);
        }
        if (info.containsMetadata(RULE)) {
            return new RefusedException(this);
        }
        return switch (code) {
            case INVALID_ARGUMENT -> new InvalidRequestException(this);
            case NOT_FOUND -> new NotFoundException(this);
            case UNAUTHENTICATED -> new UnauthenticatedException(this);
            case PERMISSION_DENIED -> new ForbiddenException(this);
            case ALREADY_EXISTS -> new AlreadyJoinedException(this);
            case FAILED_PRECONDITION -> new NotNowException(this);
            case ABORTED -> new StaleException(this);
            case OUT_OF_RANGE -> new VersionInFutureException(this);
            case RESOURCE_EXHAUSTED -> new TooMuchException(this);
            case UNAVAILABLE -> new UnavailableException(this);
            case DEADLINE_EXCEEDED -> new TimedOutException(this);
            case DATA_LOSS -> new UnreadableException(this);
            case UNIMPLEMENTED -> new NotOfferedException(this);
            // Without a reason these come from whatever stands between here and the service when a connection breaks.
            case CANCELLED, INTERNAL, UNKNOWN -> answered ? new FaultException(this) : new UnavailableException(this);
            default -> new FaultException(this);
        };
    }

    private static String message(Status status) {
        String description = status.getDescription() == null ? status.getCode().name() : status.getDescription();
        Throwable cause = status.getCause();
        return cause == null || cause.getMessage() == null ? description : description + ": " + cause.getMessage();
    }

    private static List<Any> details(Metadata trailers) {
        byte[] found = trailers == null ? null : trailers.get(DETAILS);
        try {
            return found == null ? List.of() : com.google.rpc.Status.parseFrom(found).getDetailsList();
        } catch (InvalidProtocolBufferException unreadable) {
            return List.of(); // The code and the message still say what happened.
        }
    }

    private static <M extends Message> Optional<M> find(List<Any> details, Class<M> type) {
        for (Any detail : details) {
            if (detail.is(type)) {
                try {
                    return Optional.of(detail.unpack(type));
                } catch (InvalidProtocolBufferException unreadable) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }
}
