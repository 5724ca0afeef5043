package shedu.client;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A bot as a program: it plays every game that it is invited to, and waits while no server answers.
 *
 * <p>The environment variables SHEDU_SERVER and SHEDU_TOKEN say where and as whom it plays, SHEDU_GAMES after how many
 * games it ends. Messages for people go to the standard error output. The report is printed as the last line of the
 * standard output, also when the program is ended by SIGTERM or Ctrl-C.
 */
public final class BotProgram {
    /** The exit code of a program whose bot failed in a decision, or that left a game because of an error. */
    public static final int FAILED = 1;
    /** The exit code of a program that cannot play: its address, its token or another setting is wrong. */
    public static final int CANNOT_PLAY = 2;

    private final BotRunner.Builder bot;
    private final AtomicBoolean reported = new AtomicBoolean();

    private BotProgram(BotRunner.Builder bot) {
        this.bot = bot;
    }

    /**
     * Plays, prints the report, and ends the process with the exit code 0, {@link #FAILED} or {@link #CANNOT_PLAY}.
     *
     * @param bot the bot, such as {@code BotRunner.forBot(turn -> turn.actions().get(0)).name("first")}
     */
    public static void run(BotRunner.Builder bot) {
        System.exit(new BotProgram(bot).play());
    }

    private int play() {
        try (SheduClient client = SheduClient.builder()
                        .patience(SheduClient.FOREVER)
                        .onMessage(this::message)
                        .build();
                BotRunner runner = bot.games(games()).build()) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> report(runner)));
            message("connecting to " + client.target());
            client.titles();
            message("connected to " + client.target() + ", waiting for invitations and decisions");
            BotReport found = runner.run(client);
            report(runner);
            return found.failures() == 0 && found.lost() == 0 ? 0 : FAILED;
        } catch (SheduException.Unauthenticated refused) {
            message(explanation(refused));
        } catch (SheduException | IllegalArgumentException error) {
            message(error.getMessage());
        }
        return CANNOT_PLAY;
    }

    private static String explanation(SheduException.Unauthenticated refused) {
        if (refused.reason().isEmpty()) { // no server has seen the token
            return refused.getMessage();
        }
        boolean named = !System.getenv().getOrDefault("SHEDU_TOKEN", "").isBlank();
        String problem = named ? "does not accept the token in SHEDU_TOKEN" : "needs a token, and SHEDU_TOKEN is not set";
        return "the server " + problem + ": " + refused.getMessage();
    }

    /** Prints the report once: at the end, or when a signal ends the program before. */
    private void report(BotRunner runner) {
        if (reported.compareAndSet(false, true)) {
            System.out.println(runner.report().toJson());
        }
    }

    private void message(String text) {
        System.err.println(bot.name + ": " + text);
    }

    private static int games() {
        String value = System.getenv().getOrDefault("SHEDU_GAMES", "0");
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException("SHEDU_GAMES is not a number: " + value, malformed);
        }
    }
}
