package shedu.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * The attempts at one call, or at one stream between two messages: when to try again, and how long to wait before.
 *
 * <p>Patience counts for a call from its beginning and, after a success, which every message of a stream is, from the
 * next failure: a stream may be silent for any time. Trying again is safe, because whatever changes something carries
 * a request id, the same in every attempt.
 */
final class Attempts {
    private static final double ONE_ATTEMPT = 10.0; // seconds
    private static final double FIRST_PAUSE = 0.05;
    private static final double LONGEST_PAUSE = 2.0;
    private static final String AT_ONCE = "DRAINING";

    private final double patience;
    private final DoubleSupplier now;
    private final DoubleSupplier random;
    private double since;
    private boolean counting = true;
    private int failures;

    Attempts(Duration patience) {
        this(patience, () -> System.nanoTime() / 1e9, () -> ThreadLocalRandom.current().nextDouble());
    }

    /** With a clock in seconds and random numbers from 0 to 1, both of which a test may set. */
    Attempts(Duration patience, DoubleSupplier now, DoubleSupplier random) {
        this.patience = seconds(patience);
        this.now = now;
        this.random = random;
        this.since = now.getAsDouble();
    }

    /** Counts the next failure as the first one. */
    void succeeded() {
        counting = false;
        failures = 0;
    }

    /** Seconds of patience that are left. */
    double left() {
        return counting ? patience - (now.getAsDouble() - since) : patience;
    }

    /** Seconds for the next attempt. */
    double timeout() {
        return Math.max(0.001, Math.min(left(), ONE_ATTEMPT));
    }

    /** Seconds to wait before the next attempt; throws the error where there is to be none. */
    double pause(SheduException error) {
        if (!counting) {
            counting = true;
            since = now.getAsDouble();
        }
        double wait = waitFor(error);
        if (wait < 0 || wait > left()) {
            throw error;
        }
        failures++;
        return wait;
    }

    /** Negative if waiting does not help. */
    private double waitFor(SheduException error) {
        double asked = error.retryAfter().map(Attempts::seconds).orElse(-1.0);
        if (error instanceof SheduException.TooMuch) {
            return asked < 0 ? asked : asked * (1 + random.getAsDouble() / 10);
        }
        if (!(error instanceof SheduException.Unavailable || error instanceof SheduException.TimedOut)) {
            return -1;
        }
        return error.reason().equals(AT_ONCE) ? backoff() : Math.max(backoff(), asked);
    }

    /** Doubles with each failure; half of it is random, so that many clients do not come back at the same moment. */
    private double backoff() {
        double longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * Math.pow(2, Math.min(failures, 16)));
        return longest * (0.5 + random.getAsDouble() / 2);
    }

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / 1e9;
    }
}
