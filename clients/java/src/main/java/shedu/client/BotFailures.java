package shedu.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Describes each kind of failure of a bot once: one that fails in every decision would flood a terminal. */
final class BotFailures {
    private final Consumer<String> message;
    private final Set<String> described = ConcurrentHashMap.newKeySet();

    BotFailures(Consumer<String> message) {
        this.message = message;
    }

    void wrongAnswer(String decisionId) {
        describe("answer", "decide returned none of the legal actions at " + decisionId);
    }

    void tooSlow(String decisionId) {
        describe("slow", "decide took too long at " + decisionId);
    }

    void threw(String decisionId, Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        String kind = thrown.getClass().getName() + (trace.length == 0 ? "" : trace[0]);
        StringBuilder text = new StringBuilder("decide failed at " + decisionId + ": " + thrown);
        for (StackTraceElement frame : trace) {
            if (frame.getClassName().startsWith(BotFailures.class.getPackageName() + ".")) {
                break; // what called the bot is of no interest to its author
            }
            text.append("\n    at ").append(frame);
        }
        describe(kind, text.toString());
    }

    private void describe(String kind, String text) {
        if (described.add(kind)) {
            message.accept(text);
        }
    }
}
