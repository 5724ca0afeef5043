package shedu.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Calls and streams that survive broken connections and restarted servers. */
final class Connection implements AutoCloseable {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final String CLOSED = "the client is closed";

    private final ManagedChannel channel;
    private final String target;
    private final Duration patience;
    private final LineMonitor line;
    private final CountDownLatch closed = new CountDownLatch(1);

    Connection(ManagedChannel channel, String target, Duration patience, Consumer<String> onMessage) {
        this.channel = channel;
        this.target = target;
        this.patience = patience;
        this.line = new LineMonitor(target, onMessage, System::nanoTime);
    }

    String target() {
        return target;
    }

    /** Makes a call, and repeats it while that may help and patience lasts. */
    <Q, A> A call(MethodDescriptor<Q, A> method, Q request, String token) {
        Attempts attempts = new Attempts(patience);
        while (true) {
            long nanos = (long) (attempts.timeout() * 1e9);
            CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(nanos, TimeUnit.NANOSECONDS);
            try {
                A answer = ClientCalls.blockingUnaryCall(channel(token), method, options, request);
                line.answered();
                return answer;
            } catch (StatusRuntimeException thrown) {
                rest(attempts, Failure.exception(thrown), closed);
            }
        }
    }

    /** Opens a stream, and reopens it until it has delivered everything. */
    <Q, A, T> Subscription<T> follow(
            MethodDescriptor<Q, A> method, StreamPosition<Q, A, T> position, Supplier<String> token) {
        return new ResumingSubscription<>(this, method, position, token, new Attempts(patience));
    }

    /** A channel whose calls carry the token. */
    Channel channel(String token) {
        if (token.isEmpty()) {
            return channel;
        }
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + token);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    void answered() {
        line.answered();
    }

    /** Waits before the next attempt, until {@code ended} at the most; throws the error where there is to be none. */
    void rest(Attempts attempts, SheduException error, CountDownLatch ended) {
        if (isClosed()) {
            throw Failure.cancelled(CLOSED);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw Failure.cancelled("the thread was interrupted");
        }
        line.failed(error);
        double seconds = attempts.pause(error);
        try {
            ended.await((long) (seconds * 1e9), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Failure.cancelled("the thread was interrupted");
        }
        if (isClosed()) {
            throw Failure.cancelled(CLOSED);
        }
        // grpc-java waits up to two minutes before it connects again, unless it is told not to.
        channel.resetConnectBackoff();
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    @Override
    public void close() {
        closed.countDown();
        channel.shutdownNow();
    }
}
