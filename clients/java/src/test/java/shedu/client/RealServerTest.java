package shedu.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import shedu.tides.v1.ChooseRelic;
import shedu.v1.Action;

/** Against real servers, whose addresses are in the environment; without them these tests are skipped. */
class RealServerTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static String address(String variable) {
        String found = System.getenv(variable);
        assumeTrue(found != null, variable + " names no server");
        return found;
    }

    private static SheduClient client(String server) {
        return SheduClient.builder().server(server).token("").patience(PATIENCE).build();
    }

    private static List<Player> players(SheduClient client) {
        GameHandle game = client.create("tides");
        return List.of(game.join("Ann"), game.join("Bob"));
    }

    @Test
    void aRefusalNamesItsRuleAndAStaleCallerGetsWhatItMissed() {
        try (SheduClient client = client(address("SHEDU_TEST_SERVER"))) {
            Player ann = players(client).get(0);
            LegalActions legal = ann.legalActions();
            String decisionId = legal.decision().orElseThrow().getDecisionId();
            ChooseRelic relic = ChooseRelic.newBuilder().setRelicValue(1).setRemovedValue(2).build();
            Action wrongKind = Action.newBuilder()
                    .setTides(shedu.tides.v1.Action.newBuilder().setChooseRelic(relic))
                    .build();

            SheduException.Refused refused = assertThrows(SheduException.Refused.class, () -> ann.play(wrongKind, decisionId));
            ann.play(legal.actions().get(0).getAction(), decisionId);
            SheduException.Stale stale = assertThrows(
                    SheduException.Stale.class, () -> ann.play(legal.actions().get(1).getAction(), decisionId));

            assertEquals("WRONG_KIND_OF_ACTION TT-2", refused.reason() + " " + refused.rule());
            assertEquals("DECISION_ANSWERED", stale.reason());
            assertEquals(1, stale.events().size());
        }
    }

    @Test
    void anExpiredTokenIsATypedException() throws InterruptedException {
        try (SheduClient client = client(address("SHEDU_TEST_EXPIRING_SERVER"))) {
            Player ann = players(client).get(0);
            long end = System.nanoTime() + PATIENCE.toNanos();
            SheduException.Unauthenticated expired = null;
            while (expired == null && System.nanoTime() < end) {
                try {
                    ann.legalActions();
                    TimeUnit.MILLISECONDS.sleep(100);
                } catch (SheduException.Unauthenticated refused) {
                    expired = refused;
                }
            }

            assertEquals("TOKEN_EXPIRED", expired.reason());
        }
    }

    @Test
    void thePortOfRestIsNamedAsSuch() {
        try (SheduClient client = client(address("SHEDU_TEST_REST"))) {
            SheduException.NotOffered wrong = assertThrows(SheduException.NotOffered.class, client::titles);

            assertTrue(wrong.getMessage().contains("REST"), wrong.getMessage());
            assertTrue(wrong.getMessage().contains("50051"), wrong.getMessage());
        }
    }

    @Test
    void overALineThatBreaksAMoveIsPlayedOnceAndAStreamHasNoGap() throws Exception {
        try (CuttingProxy broken = new CuttingProxy(address("SHEDU_TEST_SERVER"), 40_000);
                SheduClient client = client(broken.address());
                BotRunner runner = BotRunner.forBot(turn -> turn.actions().get(0)).build()) {
            List<Player> players = players(client);
            GameHandle game = client.game(players.get(0).id());
            CompletableFuture<List<Long>> watched =
                    CompletableFuture.supplyAsync(() -> BrokenLinesTest.versions(game.watch(0)));

            BotReport report = runner.playAll(players);

            List<Long> versions = watched.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertEquals(LongStream.rangeClosed(1, versions.size()).boxed().toList(), versions);
            assertTrue(versions.size() > 60, versions.toString());
            assertEquals(List.of(2, 28, 0), List.of(report.games(), report.decisions(), report.late()));
            assertTrue(broken.cuts() >= 2);
        }
    }

    @Test
    void aBotThatFailsDoesNotStopItsGame() {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch never = new CountDownLatch(1);
        List<String> messages = new ArrayList<>();
        Bot failing = turn -> {
            switch (asked.incrementAndGet()) {
                case 1:
                    throw new IllegalStateException("a fault of the bot");
                case 2:
                    return null;
                case 3:
                    never.await();
                    return null;
                default:
                    return turn.actions().get(0);
            }
        };
        try (SheduClient client = client(address("SHEDU_TEST_SERVER"));
                BotRunner runner = BotRunner.forBot(failing)
                        .decisionTimeout(Duration.ofMillis(200))
                        .onMessage(messages::add)
                        .build()) {
            BotReport report = runner.playAll(players(client));

            // On a busy machine the bot may also be too slow when it is not meant to be.
            assertTrue(report.failures() >= 3, report.toJson());
            assertEquals(List.of(2, 28), List.of(report.games(), report.decisions()));
            assertTrue(String.join("\n", messages).contains("a fault of the bot"), messages.toString());
        }
    }
}
