package shedu.client;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads in which a bot decides, so that nothing has to wait for one that hangs. */
final class BotThreads implements AutoCloseable {
    /** An answer, and in seconds how long it waited for its turn and how long it took. */
    record Answer<T>(T value, double waited, double took) {}

    private final Semaphore turns;
    private final Duration limit;
    private final ExecutorService threads = Executors.newCachedThreadPool(daemons("shedu-bot"));

    BotThreads(int count, Duration limit) {
        this.turns = new Semaphore(count, true);
        this.limit = limit;
    }

    /** Threads that do not keep the program alive. */
    static ThreadFactory daemons(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Throws TimeoutException, or ExecutionException with whatever the question throws. */
    <T> Answer<T> ask(Callable<T> question) throws InterruptedException, ExecutionException, TimeoutException {
        long asked = System.nanoTime();
        turns.acquire();
        try {
            long begun = System.nanoTime();
            Future<T> answer = threads.submit(question);
            try {
                T value = answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
                return new Answer<>(value, (begun - asked) / 1e9, (System.nanoTime() - begun) / 1e9);
            } finally {
                answer.cancel(true); // if it still runs, its thread is left to itself and another takes its place
            }
        } finally {
            turns.release();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
