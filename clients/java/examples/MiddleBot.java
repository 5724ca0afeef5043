import java.time.Duration;
import shedu.client.BotRunner;
import shedu.client.SheduClient;

/** A bot that takes the action in the middle. It plays all games it is invited to, SHEDU_GAMES in all. */
public class MiddleBot {
    public static void main(String[] arguments) {
        int games = Integer.parseInt(System.getenv("SHEDU_GAMES"));
        // At SHEDU_SERVER, with the key in SHEDU_TOKEN.
        try (var shedu = SheduClient.builder().patience(Duration.ofMinutes(5)).build();
                var runner = new BotRunner((view, decision, actions) -> actions.get(actions.size() / 2))) {
            System.out.println(runner.playInvitations(shedu, games).toJson());
        }
    }
}
