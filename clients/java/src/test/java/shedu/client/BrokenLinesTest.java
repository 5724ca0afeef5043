package shedu.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import shedu.v1.Action;
import shedu.v1.Event;
import shedu.v1.GoAway;
import shedu.v1.GoAwayReason;
import shedu.v1.Happened;
import shedu.v1.View;
import shedu.v1.WatchGameRequest;
import shedu.v1.WatchGameResponse;

class BrokenLinesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private FakeServer server;
    private SheduClient client;

    @BeforeEach
    void start() throws Exception {
        server = new FakeServer();
        client = server.client(PATIENCE);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    static WatchGameResponse happened(long... versions) {
        Happened.Builder happened = Happened.newBuilder();
        for (long version : versions) {
            happened.addEvents(Event.newBuilder().setVersion(version));
        }
        happened.setView(View.newBuilder().setVersion(versions[versions.length - 1]));
        return WatchGameResponse.newBuilder().setHappened(happened).build();
    }

    static WatchGameResponse goAway(GoAwayReason reason) {
        return WatchGameResponse.newBuilder().setGoAway(GoAway.newBuilder().setReason(reason)).build();
    }

    static void send(StreamObserver<WatchGameResponse> stream, WatchGameResponse... messages) {
        List.of(messages).forEach(stream::onNext);
    }

    static List<Long> versions(Subscription<GameUpdate> updates) {
        List<Long> found = new ArrayList<>();
        try (updates) {
            updates.forEachRemaining(update -> update.events().forEach(event -> found.add(event.getVersion())));
        }
        return found;
    }

    @Test
    void aMoveIsTriedAgainWithTheSameRequestId() {
        server.failures.add(Status.UNAVAILABLE.asRuntimeException());
        server.failures.add(Status.INTERNAL.asRuntimeException());

        client.player("game", 1, "seat-token").play(Action.getDefaultInstance(), "decision");

        assertEquals(3, server.played.size());
        assertFalse(server.played.get(0).getRequestId().isEmpty());
        assertEquals(1, server.played.stream().distinct().count());
        assertEquals(List.of("Bearer seat-token"), server.tokens.stream().distinct().toList());
    }

    @Test
    void aRefusalIsNotTriedAgain() {
        server.failures.add(Status.FAILED_PRECONDITION.asRuntimeException());

        Player player = client.player("game", 1, "seat-token");
        assertThrows(SheduException.NotNow.class, () -> player.play(Action.getDefaultInstance(), "decision"));

        assertEquals(1, server.played.size());
    }

    @Test
    void aServerThatDoesNotAnswerInTimeIsATimeOut() {
        try (SheduClient hasty = server.client(Duration.ofMillis(50))) {
            assertThrows(SheduException.TimedOut.class, () -> hasty.game("game").game());
        }
    }

    @Test
    void aStreamThatIsCutGoesOnAfterTheLastVersion() {
        server.streams.add(stream -> {
            send(stream, happened(1, 2));
            stream.onError(Status.UNAVAILABLE.asRuntimeException());
        });
        server.streams.add(stream -> {
            send(stream, happened(2, 3), goAway(GoAwayReason.GO_AWAY_REASON_DRAINING));
            stream.onCompleted();
        });
        server.streams.add(stream -> {
            send(stream, happened(4), goAway(GoAwayReason.GO_AWAY_REASON_FINISHED));
            stream.onCompleted();
        });

        assertEquals(List.of(1L, 2L, 3L, 4L), versions(client.game("game").watch(0)));
        List<Long> asked = server.watched.stream().map(WatchGameRequest::getAfterVersion).toList();
        assertEquals(List.of(0L, 2L, 3L), asked);
    }

    @Test
    void aGapIsAFault() {
        server.streams.add(stream -> send(stream, happened(1), happened(3)));

        assertThrows(SheduException.Fault.class, () -> versions(client.game("game").watch(0)));
    }

    @Test
    void aStreamThatIsRefusedIsNotOpenedAgain() {
        server.streams.add(stream -> stream.onError(Status.NOT_FOUND.asRuntimeException()));

        assertThrows(SheduException.NotFound.class, () -> versions(client.game("game").watch()));

        assertEquals(1, server.watched.size());
    }

    @Test
    void closingASubscriptionEndsTheWaitOfAnotherThread() throws Exception {
        CountDownLatch opened = new CountDownLatch(1);
        server.streams.add(stream -> opened.countDown());
        Subscription<GameUpdate> updates = client.game("game").watch();
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(updates::hasNext);
        assertTrue(opened.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));

        updates.close();

        assertFalse(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void anInterruptedThreadStopsToWait() throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                client.game("game").game();
            } catch (RuntimeException error) {
                thrown.complete(error);
            }
        });
        thread.start();

        thread.interrupt();

        assertEquals(SheduException.Cancelled.class, thrown.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).getClass());
    }

    @Test
    void aClosedClientStopsToTry() {
        client.close();

        assertThrows(SheduException.Cancelled.class, () -> client.game("game").game());
    }
}
