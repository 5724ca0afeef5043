package shedu.client;

import java.time.Duration;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import shedu.v1.Outcome;

/**
 * Plays with a bot: many games at once, through restarts of the server. A bot that throws an exception, does not return
 * one of the actions or takes too long does not stop its game: the first legal action is played instead, or the seat
 * resigns.
 */
public final class BotRunner implements AutoCloseable {
    private final Builder settings;
    private final BotThreads threads;
    private final ExecutorService games;
    private final BotReport report = new BotReport();
    private final BotFailures failures;
    private final Set<Subscription<?>> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private BotRunner(Builder settings) {
        this.settings = settings;
        this.threads = new BotThreads(settings.parallel, settings.decisionTimeout);
        this.games = Executors.newFixedThreadPool(settings.atOnce, BotThreads.daemons("shedu-game"));
        this.failures = new BotFailures(this::message);
    }

    /**
     * {@return a builder for a bot that plays all games}
     *
     * @param bot has no state, or can be asked about several games in turn
     */
    public static Builder forBot(Bot bot) {
        Objects.requireNonNull(bot);
        return new Builder(() -> bot);
    }

    /**
     * {@return a builder for a bot that keeps state}
     *
     * @param bots creates a bot for each game, such as {@code MyBot::new}
     */
    public static Builder forEachGame(Supplier<? extends Bot> bots) {
        return new Builder(Objects.requireNonNull(bots));
    }

    /**
     * {@return the report until now}
     */
    public BotReport report() {
        return report;
    }

    /**
     * Plays every game that the caller has a seat in or is invited to, over one inbox, until as many games are over as
     * {@link Builder#games} says, or {@link #close} is called. It needs a server that knows identities. A program that
     * crashed goes on with its games when it calls this again.
     *
     * @param client with the API key or JWT of the bot
     * @return the report
     */
    public BotReport run(SheduClient client) {
        use(client.inbox(), inbox -> new InboxGames(this, client, inbox).play());
        return report;
    }

    /**
     * Plays seats to the end of their games, several at once. A game that fails with an error is counted as lost and
     * does not end the others. {@link Seats} creates and joins games.
     *
     * @param seats asked for the next seat when there is a place for it
     * @return the report
     */
    public BotReport playAll(Iterable<Player> seats) {
        Semaphore places = new Semaphore(settings.atOnce);
        Iterator<Player> players = seats.iterator();
        try {
            places.acquire();
            while (!closed && players.hasNext()) {
                Player player = players.next();
                inBackground(() -> {
                    try {
                        attempt(player, () -> play(player));
                    } finally {
                        places.release();
                    }
                });
                places.acquire();
            }
            places.release();
            places.acquire(settings.atOnce);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return report;
    }

    /**
     * Plays one seat to the end of its game.
     *
     * @param player the seat
     * @return how the game ended; empty if the runner was closed before
     */
    public Optional<Outcome> play(Player player) {
        SeatPlayer seat = seat(player);
        seat.reclaim();
        use(player.turns(), turns -> turns.forEachRemaining(turn -> seat.answer(turn, 0)));
        Optional<Outcome> outcome = player.outcome();
        outcome.ifPresent(found -> report.finished(player.seat(), found));
        return outcome;
    }

    /** Stops playing. Another runner can go on with the games. */
    @Override
    public void close() {
        closed = true;
        open.forEach(Subscription::close);
        // Work that did not begin ends at once, so that nothing waits for it.
        games.shutdownNow().forEach(Runnable::run);
        threads.close();
    }

    SeatPlayer seat(Player player) {
        return new SeatPlayer(this, player);
    }

    /** Runs in one of the threads that play games. */
    void inBackground(Runnable work) {
        try {
            games.execute(work);
        } catch (RejectedExecutionException afterClose) {
            work.run(); // ends at once, because the runner is closed
        }
    }

    /** Whether work for a game succeeded. An error ends only this game. */
    boolean attempt(Player player, Runnable work) {
        if (closed) {
            return true;
        }
        try {
            work.run();
        } catch (SheduException.Cancelled stopped) {
            return true; // by close()
        } catch (RuntimeException error) {
            report.lost(player.id());
            message("game " + player.id() + " is left alone: " + error.getMessage());
            return false;
        }
        return true;
    }

    /** Reads a stream, which close() ends. */
    private <T> void use(Subscription<T> subscription, Consumer<Subscription<T>> reader) {
        open.add(subscription);
        try (subscription) {
            if (!closed) {
                reader.accept(subscription);
            }
        } finally {
            open.remove(subscription);
        }
    }

    private void message(String text) {
        settings.onMessage.accept(settings.name + ": " + text);
    }

    Builder settings() {
        return settings;
    }

    BotThreads threads() {
        return threads;
    }

    BotFailures failures() {
        return failures;
    }

    /** Settings of a runner. */
    public static final class Builder {
        final Supplier<? extends Bot> bots;
        String name = "bot";
        String title = "";
        int games;
        boolean resignOnFailure;
        private int parallel = 1;
        private int atOnce = 16;
        private Duration decisionTimeout = Duration.ofMinutes(1);
        private Consumer<String> onMessage = System.err::println;

        private Builder(Supplier<? extends Bot> bots) {
            this.bots = bots;
        }

        /**
         * Sets the name that others in the game see; "bot" unless set.
         *
         * @param name the name
         * @return this builder
         */
        public Builder name(String name) {
            this.name = Objects.requireNonNull(name);
            return this;
        }

        /**
         * Sets the only title that {@link BotRunner#run} plays; all titles unless set.
         *
         * @param title the id of the title, such as "tides"
         * @return this builder
         */
        public Builder title(String title) {
            this.title = Objects.requireNonNull(title);
            return this;
        }

        /**
         * Sets after how many games {@link BotRunner#run} returns; never unless set.
         *
         * @param games 0 for never
         * @return this builder
         */
        public Builder games(int games) {
            this.games = atLeast(0, games, "games");
            return this;
        }

        /**
         * Sets how many decisions the bot is asked for at a time, never two of one seat; 1 unless set.
         *
         * @param parallel more than 1 only for a bot that several threads may call
         * @return this builder
         */
        public Builder parallel(int parallel) {
            this.parallel = atLeast(1, parallel, "parallel");
            return this;
        }

        /**
         * Sets how many games are played at a time, or answered at a time over an inbox; 16 unless set.
         *
         * @param atOnce at least 1
         * @return this builder
         */
        public Builder atOnce(int atOnce) {
            this.atOnce = atLeast(1, atOnce, "atOnce");
            return this;
        }

        /**
         * Sets how long the bot may take for a decision; one minute unless set.
         *
         * @param limit a bot that takes longer has failed
         * @return this builder
         */
        public Builder decisionTimeout(Duration limit) {
            this.decisionTimeout = Objects.requireNonNull(limit);
            return this;
        }

        /**
         * Resigns where the bot fails, instead of playing the first legal action.
         *
         * @return this builder
         */
        public Builder resignOnFailure() {
            this.resignOnFailure = true;
            return this;
        }

        /**
         * Sets what gets messages for people, such as why the bot failed; the standard error output unless set.
         *
         * @param onMessage called with a text of one or more lines, by any thread
         * @return this builder
         */
        public Builder onMessage(Consumer<String> onMessage) {
            this.onMessage = Objects.requireNonNull(onMessage);
            return this;
        }

        /**
         * {@return the runner}
         */
        public BotRunner build() {
            return new BotRunner(this);
        }

        private static int atLeast(int least, int value, String name) {
            if (value < least) {
                throw new IllegalArgumentException(name + " is " + value + ", less than " + least);
            }
            return value;
        }
    }
}
