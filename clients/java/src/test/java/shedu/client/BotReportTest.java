package shedu.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import shedu.v1.Outcome;

class BotReportTest {
    @Test
    void aSharedFirstPlaceIsAPartOfAWin() {
        BotReport report = new BotReport();
        report.finished(0, Outcome.newBuilder().addRanks(1).addRanks(1).build());
        report.finished(1, Outcome.newBuilder().addRanks(2).addRanks(1).build());
        report.finished(0, Outcome.newBuilder().addRanks(2).addRanks(1).build());
        report.finished(0, Outcome.getDefaultInstance()); // abandoned

        assertEquals(4, report.games());
        assertEquals(1.5, report.wins());
    }

    @Test
    void percentilesAreInMilliseconds() {
        BotReport report = new BotReport();
        for (int number = 1; number <= 100; number++) {
            report.thought(0, number / 1000.0);
        }

        assertEquals(50.0, report.thinkingMillis(50).orElseThrow(), 1e-9);
        assertEquals(99.0, report.thinkingMillis(99).orElseThrow(), 1e-9);
        assertTrue(report.toJson().contains("\"thinking_ms\": {\"p50\": 50.000, \"p99\": 99.000}"));
        assertTrue(report.toJson().contains("\"answering_ms\": {\"p50\": null, \"p99\": null}"));
    }

    @Test
    void aBotThatHangsGivesItsTurnToAnother() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (BotThreads hasty = new BotThreads(1, Duration.ofMillis(20));
                BotThreads patient = new BotThreads(1, Duration.ofMinutes(3))) {
            assertThrows(TimeoutException.class, () -> hasty.ask(() -> {
                never.await();
                return 1;
            }));
            assertThrows(ExecutionException.class, () -> patient.ask(() -> {
                throw new IllegalStateException();
            }));
            assertEquals(2, patient.ask(() -> 2).value());
        }
    }
}
