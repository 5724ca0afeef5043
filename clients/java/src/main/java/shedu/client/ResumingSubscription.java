package shedu.client;

import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** A stream that is reopened whenever it breaks, after the last message that was handled. */
final class ResumingSubscription<Q, A, T> implements Subscription<T> {
    private final Connection connection;
    private final MethodDescriptor<Q, A> method;
    private final StreamPosition<Q, A, T> position;
    private final Supplier<String> token;
    private final Attempts attempts;
    private final CountDownLatch closed = new CountDownLatch(1);

    private Context.CancellableContext call; // guarded by this: close() cancels it from another thread
    private Iterator<A> messages;
    private Optional<A> current = Optional.empty();
    private Optional<T> next = Optional.empty();

    ResumingSubscription(
            Connection connection,
            MethodDescriptor<Q, A> method,
            StreamPosition<Q, A, T> position,
            Supplier<String> token,
            Attempts attempts) {
        this.connection = connection;
        this.method = method;
        this.position = position;
        this.token = token;
        this.attempts = attempts;
        attempts.succeeded(); // nothing has failed yet, however long it takes until something does
    }

    @Override
    public boolean hasNext() {
        if (next.isPresent()) {
            return true;
        }
        dealt();
        try {
            while (next.isEmpty() && !isClosed() && !position.isOver()) {
                receive();
            }
        } catch (SheduException fatal) {
            boolean wanted = isClosed(); // whoever closed it caused the error
            close();
            if (!wanted) {
                throw fatal;
            }
        }
        if (next.isEmpty()) {
            close();
        }
        return next.isPresent();
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        T found = next.get();
        next = Optional.empty();
        return found;
    }

    @Override
    public void close() {
        closed.countDown();
        cancel();
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** The receiver asks for more, so it is done with what it got. */
    private void dealt() {
        current.ifPresent(position::dealt);
        current = Optional.empty();
        attempts.succeeded();
    }

    /** Reads one message, or makes one attempt to. */
    private void receive() {
        SheduException error;
        try {
            if (messages == null) {
                open();
            }
            if (messages.hasNext()) {
                take(messages.next());
                return;
            }
            error = new SheduException.Unavailable(Failure.local(Status.Code.UNAVAILABLE, "the stream ended"));
        } catch (StatusRuntimeException thrown) {
            error = Failure.exception(thrown);
        }
        hangUp();
        if (!isClosed() && !position.isOver()) {
            connection.rest(attempts, error, closed);
        }
    }

    private void take(A message) {
        attempts.succeeded();
        connection.answered();
        next = position.take(message);
        if (next.isPresent()) {
            current = Optional.of(message);
        } else {
            position.dealt(message);
        }
    }

    private void open() {
        Context.CancellableContext opened = Context.current().withCancellation();
        synchronized (this) {
            call = opened;
        }
        // A close that came meanwhile did not see this call.
        if (isClosed()) {
            opened.cancel(null);
        }
        opened.run(() -> messages = ClientCalls.blockingServerStreamingCall(
                connection.channel(token.get()), method, CallOptions.DEFAULT, position.request()));
    }

    private void hangUp() {
        cancel();
        messages = null;
    }

    private synchronized void cancel() {
        if (call != null) {
            call.cancel(null);
        }
        call = null;
    }
}
