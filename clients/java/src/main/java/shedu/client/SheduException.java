package shedu.client;

import com.google.protobuf.Message;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that a call can fail with.
 *
 * <pre>
 * SheduException
 * ├── InvalidRequestException   a field has a value that is not allowed; violations() names each
 * ├── NotFoundException         no such title, game or seat, or none that you may know of
 * ├── UnauthenticatedException  the call needs a token, or the token is invalid or has expired
 * ├── ForbiddenException        the token is valid, but does not permit this call
 * ├── AlreadyJoinedException    you already have a seat in this game
 * ├── NotNowException           the game is not in the state for this call; reason() says why
 * ├── RefusedException          the rules do not allow the action; reason() and rule() say why
 * ├── StaleException            too late: events() happened meanwhile, the game is at version()
 * ├── VersionInFutureException  the game has not reached that version
 * ├── TooMuchException          a limit is reached; try again after retryAfter()
 * ├── TooLargeException         the request is too large
 * ├── UnavailableException      no server answers, or its store is away
 * ├── TimedOutException         no answer in time; whether the call took effect is not known
 * ├── UnreadableException       the server cannot read the log of this game
 * ├── NotOfferedException       the server does not know the method, or does not speak gRPC
 * ├── FaultException            a fault of the service
 * └── CancelledException        the thread was interrupted, or the client closed
 * </pre>
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
     * title's own where the rules refuse; empty where no server answered}
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
     * {@return after which time the server wants to be asked again, if it said so}
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
}
