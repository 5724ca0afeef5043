package shedu.client;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import shedu.v1.LegalAction;
import shedu.v1.Outcome;

/**
 * Plays with a bot: many games at once, through restarts of the server. A bot that throws an exception, does not return
 * one of the actions or takes too long does not stop the game: the first legal action is played instead, or the seat
 * resigns.
 */
public final class BotRunner implements AutoCloseable {
    /** What happens where a bot fails. */
    public enum OnFailure {
        /** The first legal action is played. */
        FIRST_ACTION,
        /** The seat resigns. */
        RESIGN
    }

    private final Supplier<Bot> bots;
    private final String name;
    private final OnFailure onFailure;
    private final int atOnce;
    private final Consumer<String> tell;
    private final BotThreads threads;
    private final ExecutorService games;
    private final BotReport report = new BotReport();
    private final Set<Subscription<?>> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * A runner that asks the bot one thing at a time.
     *
     * @param bot plays all games; it has no state, or bears to be asked about several games in turn
     */
    public BotRunner(Bot bot) {
        this(builder(bot));
    }

    private BotRunner(Builder builder) {
        this.bots = builder.bots;
        this.name = builder.name;
        this.onFailure = builder.onFailure;
        this.atOnce = builder.atOnce;
        this.tell = builder.tell;
        this.threads = new BotThreads(builder.threads, builder.decisionTime);
        this.games = Executors.newFixedThreadPool(atOnce, BotThreads.daemons("shedu-game"));
    }

    /**
     * {@return a builder for a bot that plays all games}
     *
     * @param bot has no state, or bears to be asked about several games in turn
     */
    public static Builder builder(Bot bot) {
        return new Builder(() -> bot);
    }

    /**
     * {@return a builder for a bot with a memory}
     *
     * @param bots makes a bot for each game
     */
    public static Builder builder(Supplier<Bot> bots) {
        return new Builder(bots);
    }

    /**
     * {@return how the bot is doing}
     */
    public BotReport report() {
        return report;
    }

    /**
     * Plays every game that the caller is invited to or sits at, over one stream for all games. It needs a server that
     * knows identities. A process that crashed goes on with its games when it calls this again.
     *
     * @param client with the API key or JWT of the bot
     * @param count how many games to finish; 0 for no end before {@link #close}
     * @return how the bot did
     */
    public BotReport playInvitations(SheduClient client, int count) {
        return playInvitations(client, count, "");
    }

    /**
     * The same for the games of one title.
     *
     * @param client with the API key or JWT of the bot
     * @param count how many games to finish; 0 for no end before {@link #close}
     * @param title the id of the title; empty for all
     * @return how the bot did
     */
    public BotReport playInvitations(SheduClient client, int count, String title) {
        use(client.inbox(), inbox -> new InboxGames(this, client, title).play(inbox, count));
        return report;
    }

    /**
     * Plays seats to the end of their games, several at once; {@link Seats} finds them.
     *
     * @param seats asked for the next seat when there is a place for it
     * @return how the bot did
     */
    public BotReport playAll(Iterable<Player> seats) {
        Semaphore places = new Semaphore(atOnce);
        Iterator<Player> players = seats.iterator();
        try {
            while (!closed) {
                places.acquire();
                if (!players.hasNext()) {
                    places.release();
                    break;
                }
                Player player = players.next();
                games.execute(() -> {
                    try {
                        attempt(player, () -> play(player));
                    } finally {
                        places.release();
                    }
                });
            }
            places.acquire(atOnce);
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
        seat.takeBack();
        use(player.turns(), turns -> turns.forEachRemaining(turn -> seat.answer(turn, 0)));
        Optional<Outcome> outcome = player.outcome();
        outcome.ifPresent(found -> report.finished(player.seat(), outcome));
        return outcome;
    }

    /** Stops to play. Games that go on can be continued by another runner. */
    @Override
    public void close() {
        closed = true;
        open.forEach(Subscription::close);
        games.shutdownNow();
        threads.close();
    }

    SeatPlayer seat(Player player) {
        return new SeatPlayer(this, player);
    }

    /** Runs in one of the threads that play games; one game that goes wrong is no reason to leave the others. */
    void inBackground(Player player, Runnable work) {
        try {
            games.execute(() -> attempt(player, work));
        } catch (RejectedExecutionException afterClose) {
            return; // the stream that asked for it ends, too
        }
    }

    private void attempt(Player player, Runnable work) {
        try {
            work.run();
        } catch (CancelledException stopped) {
            return; // by close()
        } catch (RuntimeException error) {
            report.gaveUp();
            tell.accept("game " + player.id() + " is given up: " + error);
        }
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

    void tell(String message) {
        tell.accept(name + ": " + message);
    }

    String name() {
        return name;
    }

    BotThreads threads() {
        return threads;
    }

    Bot newBot() {
        return bots.get();
    }

    /** The action to play where the bot fails; empty to resign. */
    Optional<LegalAction> fallback(List<LegalAction> actions) {
        return onFailure == OnFailure.RESIGN ? Optional.empty() : Optional.of(actions.get(0));
    }

    /** Says how a bot is to play. */
    public static final class Builder {
        private final Supplier<Bot> bots;
        private String name = "bot";
        private int threads = 1;
        private int atOnce = 16;
        private Duration decisionTime = Duration.ofSeconds(60);
        private OnFailure onFailure = OnFailure.FIRST_ACTION;
        private Consumer<String> tell = System.err::println;

        private Builder(Supplier<Bot> bots) {
            this.bots = bots;
        }

        /**
         * Sets the name of the bot in messages; "bot" if not set.
         *
         * @param name the name
         * @return this builder
         */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /**
         * Sets how many decisions the bot may think about at a time, never two of one game; 1 if not set.
         *
         * @param threads more than 1 only for a bot that bears it
         * @return this builder
         */
        public Builder threads(int threads) {
            this.threads = threads;
            return this;
        }

        /**
         * Sets how many games are played at a time, or answered at a time over an inbox; 16 if not set.
         *
         * @param atOnce at least 1
         * @return this builder
         */
        public Builder atOnce(int atOnce) {
            this.atOnce = atOnce;
            return this;
        }

        /**
         * Sets how long the bot may take for a decision; 60 seconds if not set.
         *
         * @param limit a bot that takes longer has failed
         * @return this builder
         */
        public Builder decisionTime(Duration limit) {
            this.decisionTime = limit;
            return this;
        }

        /**
         * Sets what happens where the bot fails; the first legal action is played if not set.
         *
         * @param what play on, or resign
         * @return this builder
         */
        public Builder onFailure(OnFailure what) {
            this.onFailure = what;
            return this;
        }

        /**
         * Sets who is told of failures; the standard error output if not set.
         *
         * @param tell gets a line for people
         * @return this builder
         */
        public Builder tell(Consumer<String> tell) {
            this.tell = tell;
            return this;
        }

        /**
         * {@return the runner}
         */
        public BotRunner build() {
            return new BotRunner(this);
        }
    }
}
