package shedu.client;

import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Where a bot finds seats to play with {@link BotRunner#playAll}. */
public final class Seats {
    private Seats() {}

    /**
     * The first seat of new games, each created when it is asked for.
     *
     * @param client where to create them
     * @param title the id of the title, such as "tides"
     * @param count how many games
     * @param displayName shown to everyone at the table; may be empty
     * @param bots levels of hosted bots to play against; without any, others must join
     * @return the seats
     */
    public static Iterable<Player> created(
            SheduClient client, String title, int count, String displayName, String... bots) {
        Stream<Player> seats =
                IntStream.range(0, count).mapToObj(number -> client.create(title, bots).join(displayName));
        return once(seats.iterator());
    }

    /**
     * A seat of each of these games.
     *
     * @param client where they are
     * @param gameIds the ids of the games
     * @param displayName shown to everyone at the table; may be empty
     * @return the seats, taken one by one as they are asked for
     */
    public static Iterable<Player> joined(SheduClient client, List<String> gameIds, String displayName) {
        return once(gameIds.stream().map(gameId -> client.game(gameId).join(displayName)).iterator());
    }

    private static Iterable<Player> once(Iterator<Player> seats) {
        return () -> seats;
    }
}
