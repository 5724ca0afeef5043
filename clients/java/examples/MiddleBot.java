import shedu.client.BotProgram;
import shedu.client.BotRunner;

/** A bot that takes the action in the middle. It plays all games it is invited to, SHEDU_GAMES in all. */
public class MiddleBot {
    public static void main(String[] arguments) {
        var bot = BotRunner.forBot(turn -> turn.actions().get(turn.actions().size() / 2)).name("middle");
        BotProgram.run(bot); // at SHEDU_SERVER, with the key in SHEDU_TOKEN
    }
}
