package shedu.client;

import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import shedu.v1.Event;
import shedu.v1.MissedEvents;

/**
 * The exception of a failed call. Each kind of failure is a class of its own inside this one, to be caught by its type:
 * {@code catch (SheduException.Stale stale)}.
 */
public abstract class SheduException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the server sent; not serialized, because Protobuf details need their classes to be read. */
    private final transient Failure failure;

    SheduException(Failure failure) {
        super(failure.text(), failure.cause());
        this.failure = failure;
    }

    /**
     * {@return the status code of gRPC}
     */
    public Status.Code code() {
        return failure.code();
    }

    /**
     * {@return a stable code in upper case, such as "GAME_NOT_FOUND": one of ErrorReason without its prefix, or the
     * title's own if the rules refuse; empty if no server answered}
     */
    public String reason() {
        return failure.info().getReason();
    }

    /**
     * {@return further facts by name, such as the rule of a refusal}
     */
    public Map<String, String> metadata() {
        return failure.info().getMetadataMap();
    }

    /**
     * {@return when to try again, if the server said so}
     */
    public Optional<Duration> retryAfter() {
        return detail(RetryInfo.class)
                .map(RetryInfo::getRetryDelay)
                .map(delay -> Duration.ofSeconds(delay.getSeconds(), delay.getNanos()));
    }

    /**
     * Finds a detail that the server attached to the error.
     *
     * @param type the class of the detail, such as {@link com.google.rpc.QuotaFailure}
     * @param <M> the type of the detail
     * @return the first detail of that type, if there is one
     */
    public <M extends Message> Optional<M> detail(Class<M> type) {
        return failure.detail(type);
    }

    /** A field of the request has a value that is not allowed; {@link #violations} names each. */
    public static final class InvalidRequest extends SheduException {
        private static final long serialVersionUID = 1L;

        InvalidRequest(Failure failure) {
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
    }

    /** No such title, game or seat, or none that the caller may know of. */
    public static final class NotFound extends SheduException {
        private static final long serialVersionUID = 1L;

        NotFound(Failure failure) {
            super(failure);
        }
    }

    /** The call needs a token, or the token is invalid or has expired. */
    public static final class Unauthenticated extends SheduException {
        private static final long serialVersionUID = 1L;

        Unauthenticated(Failure failure) {
            super(failure);
        }
    }

    /** The token is valid, but does not permit this call. */
    public static final class Forbidden extends SheduException {
        private static final long serialVersionUID = 1L;

        Forbidden(Failure failure) {
            super(failure);
        }
    }

    /** The caller already has a seat in this game. */
    public static final class AlreadyJoined extends SheduException {
        private static final long serialVersionUID = 1L;

        AlreadyJoined(Failure failure) {
            super(failure);
        }
    }

    /** The game is not in the state for this call; {@link #reason} says why, such as GAME_FULL. */
    public static final class NotNow extends SheduException {
        private static final long serialVersionUID = 1L;

        NotNow(Failure failure) {
            super(failure);
        }
    }

    /** The rules of the title do not allow the action; {@link #reason} and {@link #rule} say why. */
    public static final class Refused extends SheduException {
        private static final long serialVersionUID = 1L;

        Refused(Failure failure) {
            super(failure);
        }

        /**
         * {@return the id of the rule, such as "TE-20"; the catalog has its text}
         */
        public String rule() {
            return metadata().getOrDefault(Failure.RULE, "");
        }
    }

    /** The call came too late: the decision was answered, or the game is past the expected version. */
    public static final class Stale extends SheduException {
        private static final long serialVersionUID = 1L;

        Stale(Failure failure) {
            super(failure);
        }

        /**
         * {@return what happened meanwhile, oldest first}
         */
        public List<Event> events() {
            return detail(MissedEvents.class).map(MissedEvents::getEventsList).orElse(List.of());
        }

        /**
         * {@return the version of the game now; 0 if the server did not say}
         */
        public long version() {
            return detail(MissedEvents.class).map(MissedEvents::getVersion).orElse(0L);
        }
    }

    /** The game has not reached that version. */
    public static final class VersionInFuture extends SheduException {
        private static final long serialVersionUID = 1L;

        VersionInFuture(Failure failure) {
            super(failure);
        }
    }

    /** A limit is reached; {@link #retryAfter} says when to try again. */
    public static final class TooMuch extends SheduException {
        private static final long serialVersionUID = 1L;

        TooMuch(Failure failure) {
            super(failure);
        }
    }

    /** The request or its headers are too large. */
    public static final class TooLarge extends SheduException {
        private static final long serialVersionUID = 1L;

        TooLarge(Failure failure) {
            super(failure);
        }
    }

    /** No server answers at the address, the connection broke, or the store of the server is down. */
    public static final class Unavailable extends SheduException {
        private static final long serialVersionUID = 1L;

        Unavailable(Failure failure) {
            super(failure);
        }
    }

    /** No answer came in time; whether the call took effect is not known. */
    public static final class TimedOut extends SheduException {
        private static final long serialVersionUID = 1L;

        TimedOut(Failure failure) {
            super(failure);
        }
    }

    /** The server cannot read the log of this game. */
    public static final class Unreadable extends SheduException {
        private static final long serialVersionUID = 1L;

        Unreadable(Failure failure) {
            super(failure);
        }
    }

    /** The server does not know the method, or what answers at the address does not speak gRPC. */
    public static final class NotOffered extends SheduException {
        private static final long serialVersionUID = 1L;

        NotOffered(Failure failure) {
            super(failure);
        }
    }

    /** A fault of the service, or an answer that breaks a promise of the contract. */
    public static final class Fault extends SheduException {
        private static final long serialVersionUID = 1L;

        Fault(Failure failure) {
            super(failure);
        }
    }

    /** The thread was interrupted, or the client or the runner was closed. */
    public static final class Cancelled extends SheduException {
        private static final long serialVersionUID = 1L;

        Cancelled(Failure failure) {
            super(failure);
        }
    }

    /**
     * A problem of one field.
     *
     * @param field the field of the request, as the contract spells it
     * @param description what is wrong with it
     */
    public record FieldViolation(String field, String description) {}
}
