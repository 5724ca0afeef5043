package shedu.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Converts the status of a failed call to an exception. */
record Failure(Status.Code code, String message, ErrorInfo info, List<Any> details, Throwable cause) {
    static final String RULE = "rule";
    private static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
    private static final Set<String> TOO_LARGE = Set.of("REQUEST_TOO_LARGE", "HEADERS_TOO_LARGE");
    private static final String NO_TLS = "the server does not use TLS: its address begins with grpc://";
    /** How grpc-java reports, among others, a server that expects TLS. */
    private static final String CLOSED = "Network closed for unknown reason";
    private static final String PERHAPS_TLS =
            "the server closed the connection; if it uses TLS, its address begins with grpcs://";
    private static final String HTTP_PORT =
            "this is a port of HTTP, such as that of REST; gRPC is another one, by default 50051";
    /**
     * Parts of the messages with which grpc-java reports that something else than gRPC answered, which no further
     * attempt changes, and what is wrong then. The first one that matches counts.
     */
    private static final List<Map.Entry<String, String>> WRONG_ADDRESS = List.of(
            Map.entry("not an SSL/TLS record", NO_TLS),
            Map.entry("First received frame was not SETTINGS", HTTP_PORT),
            Map.entry("http/1.x", HTTP_PORT),
            Map.entry("not an HTTP/2", HTTP_PORT),
            Map.entry("invalid content-type", HTTP_PORT));

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
        return new SheduException.Cancelled(local(Status.Code.CANCELLED, message));
    }

    String text() {
        return info.getReason().isEmpty() ? message : message + " (" + info.getReason() + ")";
    }

    <M extends Message> Optional<M> detail(Class<M> type) {
        return find(details, type);
    }

    /** Describes the problem of the address, if something else than this gRPC server answered. */
    private Optional<String> wrongAddress() {
        if (!info.getReason().isEmpty()) {
            return Optional.empty();
        }
        return WRONG_ADDRESS.stream()
                .filter(known -> message.contains(known.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private SheduException exception() {
        boolean answered = !info.getReason().isEmpty();
        Optional<String> wrong = wrongAddress();
        if (wrong.isPresent()) {
            return new SheduException.NotOffered(new Failure(code, wrong.get(), info, details, cause));
        }
        if (TOO_LARGE.contains(info.getReason())) {
            return new SheduException.TooLarge(this);
        }
        if (info.containsMetadata(RULE)) {
            return new SheduException.Refused(this);
        }
        return switch (code) {
            case INVALID_ARGUMENT -> new SheduException.InvalidRequest(this);
            case NOT_FOUND -> new SheduException.NotFound(this);
            case UNAUTHENTICATED -> new SheduException.Unauthenticated(this);
            case PERMISSION_DENIED -> new SheduException.Forbidden(this);
            case ALREADY_EXISTS -> new SheduException.AlreadyJoined(this);
            case FAILED_PRECONDITION -> new SheduException.NotNow(this);
            case ABORTED -> new SheduException.Stale(this);
            case OUT_OF_RANGE -> new SheduException.VersionInFuture(this);
            case RESOURCE_EXHAUSTED -> new SheduException.TooMuch(this);
            case UNAVAILABLE -> new SheduException.Unavailable(this);
            case DEADLINE_EXCEEDED -> new SheduException.TimedOut(this);
            case DATA_LOSS -> new SheduException.Unreadable(this);
            case UNIMPLEMENTED -> new SheduException.NotOffered(this);
            // Without a reason these come from whatever stands between here and the service when a connection breaks.
            case CANCELLED, INTERNAL, UNKNOWN -> answered ? new SheduException.Fault(this) : new SheduException.Unavailable(this);
            default -> new SheduException.Fault(this);
        };
    }

    /** The description with the messages of all causes, of which the last often is the only clear one. */
    private static String message(Status status) {
        StringBuilder text = new StringBuilder(
                status.getDescription() == null ? status.getCode().name() : status.getDescription());
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && text.indexOf(cause.getMessage()) < 0) {
                text.append(": ").append(cause.getMessage());
            }
        }
        return text.toString().replace(CLOSED, PERHAPS_TLS);
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
