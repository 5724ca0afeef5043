package shedu.client;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import shedu.v1.Outcome;

/** The results of a bot. It counts while the bot plays; any thread may read it. */
public final class BotReport {
    private static final int REMEMBERED = 10_000; // decisions of which the times are known

    private int games;
    private double wins;
    private int decisions;
    private int failures;
    private int late;
    private final Set<String> lost = new HashSet<>();
    private final Deque<Double> waiting = new ArrayDeque<>();
    private final Deque<Double> thinking = new ArrayDeque<>();
    private final Deque<Double> answering = new ArrayDeque<>();

    BotReport() {}

    /**
     * {@return the number of games that are over}
     */
    public synchronized int games() {
        return games;
    }

    /**
     * {@return the number of games won; a first place that n seats share counts 1/n}
     */
    public synchronized double wins() {
        return wins;
    }

    /**
     * {@return the number of decisions that the server acknowledged}
     */
    public synchronized int decisions() {
        return decisions;
    }

    /**
     * {@return how often the bot threw an exception, was too slow, or did not return one of the actions}
     */
    public synchronized int failures() {
        return failures;
    }

    /**
     * {@return the number of answers that came when the decision was no longer open}
     */
    public synchronized int late() {
        return late;
    }

    /**
     * {@return the number of games that were given up because of errors}
     */
    public synchronized int lost() {
        return lost.size();
    }

    /**
     * {@return a percentile of the time for which decisions waited while the bot was busy with others, in milliseconds;
     * empty before the first decision}
     *
     * @param percent from 0 to 100
     */
    public synchronized Optional<Double> waitingMillis(int percent) {
        return percentile(waiting, percent);
    }

    /**
     * {@return a percentile of the time that the bot took to decide, in milliseconds; empty before the first decision}
     *
     * @param percent from 0 to 100
     */
    public synchronized Optional<Double> thinkingMillis(int percent) {
        return percentile(thinking, percent);
    }

    /**
     * {@return a percentile of the time that the server took to acknowledge an answer, in milliseconds; empty before
     * the first decision}
     *
     * @param percent from 0 to 100
     */
    public synchronized Optional<Double> answeringMillis(int percent) {
        return percentile(answering, percent);
    }

    /**
     * {@return the report as one line of JSON, with the same names as the reports of the other clients}
     */
    public String toJson() {
        return facts().entrySet().stream()
                .map(fact -> "\"" + fact.getKey() + "\": " + fact.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    /**
     * {@return the same as {@link #toJson}}
     */
    @Override
    public String toString() {
        return toJson();
    }

    private synchronized Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("games", Integer.toString(games));
        facts.put("wins", number(wins));
        facts.put("decisions", Integer.toString(decisions));
        facts.put("failures", Integer.toString(failures));
        facts.put("late", Integer.toString(late));
        facts.put("lost", Integer.toString(lost.size()));
        facts.put("waiting_ms", percentiles(waiting));
        facts.put("thinking_ms", percentiles(thinking));
        facts.put("answering_ms", percentiles(answering));
        return facts;
    }

    synchronized void thought(double waitingSeconds, double thinkingSeconds) {
        remember(waiting, waitingSeconds);
        remember(thinking, thinkingSeconds);
    }

    synchronized void decided(double answeringSeconds) {
        decisions++;
        remember(answering, answeringSeconds);
    }

    synchronized void failed() {
        failures++;
    }

    synchronized void wasLate() {
        late++;
    }

    /** Counts a game once, also if several calls of it fail. */
    synchronized void lost(String gameId) {
        lost.add(gameId);
    }

    synchronized void finished(int seat, Outcome outcome) {
        games++;
        if (seat < outcome.getRanksCount() && outcome.getRanks(seat) == 1) {
            wins += 1.0 / Collections.frequency(outcome.getRanksList(), 1);
        }
    }

    private static void remember(Deque<Double> times, double seconds) {
        times.addLast(seconds);
        if (times.size() > REMEMBERED) {
            times.removeFirst();
        }
    }

    private static String percentiles(Deque<Double> times) {
        return "{\"p50\": " + shown(times, 50) + ", \"p99\": " + shown(times, 99) + "}";
    }

    private static String shown(Deque<Double> times, int percent) {
        return percentile(times, percent).map(BotReport::number).orElse("null");
    }

    private static Optional<Double> percentile(Deque<Double> times, int percent) {
        return times.stream().sorted().skip((long) Math.max(0, times.size() - 1) * percent / 100).findFirst()
                .map(seconds -> seconds * 1000);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
