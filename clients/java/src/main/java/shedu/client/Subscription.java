package shedu.client;

import java.util.Iterator;

/**
 * What a server sends as it happens: an iterator that waits for the next item, and that reconnects by itself after a
 * broken connection or a restart of the server.
 *
 * <p>It is for one thread, except {@link #close}, which any thread may call. Use it in a {@code for} loop inside {@code
 * try}-with-resources. {@link #hasNext} waits; it is false when everything has been told or the subscription is closed,
 * and throws a {@link SheduException} when patience is over or trying again does not help.
 *
 * @param <T> what is sent
 */
public interface Subscription<T> extends Iterator<T>, Iterable<T>, AutoCloseable {
    /**
     * {@return this iterator, so that a {@code for} loop can use it, once}
     */
    @Override
    default Iterator<T> iterator() {
        return this;
    }

    /** Ends the stream. A thread that waits for the next item is told that there is none. */
    @Override
    void close();
}
