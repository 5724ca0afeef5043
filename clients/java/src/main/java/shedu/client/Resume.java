package shedu.client;

import java.util.Optional;

/** How to ask for the rest of a stream, and what its messages say. */
interface Resume<Q, A, T> {
    /** Whether everything has been told. */
    boolean isOver();

    Q request();

    /** What the receiver is told; empty for messages that are about the stream itself. */
    Optional<T> take(A message);

    /** The receiver is done with the message, which need not be sent again. */
    default void dealt(A message) {}
}
