package shedu.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.Any;
import com.google.protobuf.util.Durations;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttemptsTest {
    private double now;
    private double random;

    private Attempts attempts(long seconds) {
        return new Attempts(Duration.ofSeconds(seconds), () -> now, () -> random);
    }

    private static SheduException error(Status.Code code, String reason, Any... details) {
        List<Any> all = new ArrayList<>(List.of(details));
        all.add(Any.pack(ErrorInfo.newBuilder().setReason(reason).build()));
        com.google.rpc.Status status =
                com.google.rpc.Status.newBuilder().setCode(code.value()).addAllDetails(all).build();
        return Failure.exception(FakeServer.failure(code, status.toByteArray()));
    }

    private static Any retryAfter(long milliseconds) {
        return Any.pack(RetryInfo.newBuilder().setRetryDelay(Durations.fromMillis(milliseconds)).build());
    }

    @Test
    void pausesDoubleUpToTwoSecondsAndHalfOfEachIsRandom() {
        Attempts least = attempts(1000);
        List<Double> shortest = new ArrayList<>();
        for (int attempt = 0; attempt < 8; attempt++) {
            shortest.add(least.pause(error(Status.Code.UNAVAILABLE, "")));
        }
        random = 1;
        double longest = attempts(1000).pause(error(Status.Code.UNAVAILABLE, ""));

        assertEquals(List.of(0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0), shortest);
        assertEquals(0.05, longest);
    }

    @Test
    void patienceOfACallCountsFromItsBeginning() {
        Attempts attempts = attempts(30);
        assertEquals(10, attempts.timeout());
        now = 25;
        assertEquals(5, attempts.timeout());
        now = 30;

        SheduException error = error(Status.Code.UNAVAILABLE, "");
        assertSame(error, assertThrows(SheduException.Unavailable.class, () -> attempts.pause(error)));
    }

    @Test
    void patienceOfAStreamCountsFromItsFailure() {
        Attempts attempts = attempts(30);
        attempts.succeeded();
        now = 1000;

        assertEquals(0.025, attempts.pause(error(Status.Code.UNAVAILABLE, "")));
        now = 1031;

        assertThrows(SheduException.Unavailable.class, () -> attempts.pause(error(Status.Code.UNAVAILABLE, "")));
    }

    @Test
    void theServerSaysWhenToComeBack() {
        assertEquals(3.0, attempts(30).pause(error(Status.Code.UNAVAILABLE, "STORE_UNAVAILABLE", retryAfter(3000))));
        assertEquals(3.0, attempts(30).pause(error(Status.Code.RESOURCE_EXHAUSTED, "TOO_MUCH", retryAfter(3000))));
        assertEquals(0.025, attempts(30).pause(error(Status.Code.UNAVAILABLE, "DRAINING", retryAfter(3000))));
        SheduException tooLate = error(Status.Code.RESOURCE_EXHAUSTED, "TOO_MUCH", retryAfter(31_000));
        assertThrows(SheduException.TooMuch.class, () -> attempts(30).pause(tooLate));
        SheduException never = error(Status.Code.RESOURCE_EXHAUSTED, "TOO_MUCH");
        assertThrows(SheduException.TooMuch.class, () -> attempts(30).pause(never));
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"OK", "UNAVAILABLE", "DEADLINE_EXCEEDED"})
    void nothingElseIsTriedAgain(Status.Code code) {
        SheduException error = error(code, "SOME_REASON");

        assertSame(error, assertThrows(SheduException.class, () -> attempts(30).pause(error)));
    }
}
