package shedu.client;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Tells people once when no server has answered for some seconds, and once when one answers again. */
final class LineMonitor {
    private static final long QUIET_NANOS = 3_000_000_000L;

    private final String target;
    private final Consumer<String> tell;
    private final LongSupplier nanoTime;
    private boolean failing;
    private boolean told;
    private long failingSince;

    LineMonitor(String target, Consumer<String> tell, LongSupplier nanoTime) {
        this.target = target;
        this.tell = tell;
        this.nanoTime = nanoTime;
    }

    synchronized void answered() {
        boolean wasTold = told;
        told = false;
        failing = false;
        if (wasTold) {
            tell.accept(target + " is back");
        }
    }

    /** An error that the server itself reports is an answer. */
    synchronized void failed(SheduException error) {
        boolean timedOut = error instanceof TimedOutException;
        if (!timedOut && !(error instanceof UnavailableException)) {
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
            tell.accept("waiting for " + target + ": " + error.getMessage());
        }
    }
}
