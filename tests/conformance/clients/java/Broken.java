import shedu.client.BotProgram;
import shedu.client.BotRunner;

/** A bot that fails in every decision. */
public class Broken {
    public static void main(String[] arguments) {
        BotProgram.run(BotRunner.forBot(turn -> think()).name("broken"));
    }

    static shedu.v1.LegalAction think() {
        throw new IllegalStateException("a fault of the bot");
    }
}
