package shedu.client;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Reports once when no server has answered for half a second, and once when one answers again. */
final class LineMonitor {
    private static final long QUIET_NANOS = 500_000_000L; // so that a program says within a second what it waits for

    private final String target;
    private final Consumer<String> onMessage;
    private final LongSupplier nanoTime;
    private boolean failing;
    private boolean told;
    private long failingSince;

    LineMonitor(String target, Consumer<String> onMessage, LongSupplier nanoTime) {
        this.target = target;
        this.onMessage = onMessage;
        this.nanoTime = nanoTime;
    }

    synchronized void answered() {
        boolean wasTold = told;
        told = false;
        failing = false;
        if (wasTold) {
            onMessage.accept(target + " is back");
        }
    }

    /** An error that the server itself reports is an answer. */
    synchronized void failed(SheduException error) {
        boolean timedOut = error instanceof SheduException.TimedOut;
        if (!timedOut && !(error instanceof SheduException.Unavailable)) {
            answered();
            return;
        }
        if (!failing) {
            failing = true;
            failingSince = nanoTime.getAsLong();
        }
        boolean isLong = timedOut || nanoTime.getAsLong() - failingSince >= QUIET_NANOS;
        if (isLong && !told) {
            told = true;
            onMessage.accept("waiting for " + target + ": " + error.getMessage());
        }
    }
}
