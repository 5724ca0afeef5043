package shedu.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static shedu.client.BrokenLinesTest.goAway;
import static shedu.client.BrokenLinesTest.happened;
import static shedu.client.BrokenLinesTest.send;
import static shedu.client.BrokenLinesTest.versions;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import shedu.tides.v1.ChooseCard;
import shedu.v1.Action;
import shedu.v1.Decision;
import shedu.v1.Event;
import shedu.v1.GameStatus;
import shedu.v1.GoAway;
import shedu.v1.GoAwayReason;
import shedu.v1.Happened;
import shedu.v1.LegalAction;
import shedu.v1.ListLegalActionsResponse;
import shedu.v1.View;
import shedu.v1.WatchGameResponse;

/** A server that knows more than this client: what it says is passed on or left out, and nothing breaks. */
class NewerServerTest {
    private static final UnknownFieldSet UNKNOWN = UnknownFieldSet.newBuilder()
            .addField(900, UnknownFieldSet.Field.newBuilder().addLengthDelimited(ByteString.EMPTY).build())
            .build();
    private FakeServer server;
    private SheduClient client;

    @BeforeEach
    void start() throws Exception {
        server = new FakeServer();
        client = server.client(Duration.ofMinutes(3));
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void anUnknownEnumInALegalActionIsSentBackAsItCame() {
        Action newer = Action.newBuilder()
                .setTides(shedu.tides.v1.Action.newBuilder()
                        .setChooseCard(ChooseCard.newBuilder().setCardValue(77).setUnknownFields(UNKNOWN)))
                .build();
        LegalAction legal = LegalAction.newBuilder().setAction(newer).build();
        Decision decision = Decision.newBuilder().setDecisionId("decision").build();
        server.legalActions = request ->
                ListLegalActionsResponse.newBuilder().addActions(legal).setDecision(decision).build();
        Player player = client.player("game", 0, "token");

        LegalActions found = player.legalActions();
        player.play(found.actions().get(0), found.decision().orElseThrow());

        assertEquals(newer, server.played.get(0).getAction());
    }

    @Test
    void unknownMessagesEventsAndReasonsOfAStreamBreakNothing() {
        View view = View.newBuilder()
                .setVersion(1)
                .setGame(shedu.v1.Game.newBuilder().setStatusValue(77))
                .build();
        Event event = Event.newBuilder().setVersion(1).setUnknownFields(UNKNOWN).build();
        server.streams.add(stream -> {
            send(
                    stream,
                    WatchGameResponse.newBuilder().setUnknownFields(UNKNOWN).build(),
                    WatchGameResponse.newBuilder()
                            .setHappened(Happened.newBuilder().addEvents(event).setView(view))
                            .build(),
                    WatchGameResponse.newBuilder().setGoAway(GoAway.newBuilder().setReasonValue(77)).build());
            stream.onCompleted();
        });
        server.streams.add(stream -> send(stream, happened(2), goAway(GoAwayReason.GO_AWAY_REASON_FINISHED)));

        Subscription<GameUpdate> updates = client.game("game").watch(0);
        GameUpdate first = updates.next();

        assertEquals(Event.KindCase.KIND_NOT_SET, first.events().get(0).getKindCase());
        assertEquals(GameStatus.UNRECOGNIZED, first.view().getGame().getStatus());
        assertEquals(List.of(2L), versions(updates));
    }

    @Test
    void anUnknownReasonAndDetailArePartOfTheException() {
        ErrorInfo info = ErrorInfo.newBuilder().setReason("NEWER_REASON").putMetadata("more", "facts").build();
        Any unknown = Any.newBuilder().setTypeUrl("type.googleapis.com/shedu.v9.Newer").build();
        com.google.rpc.Status status =
                com.google.rpc.Status.newBuilder().addDetails(unknown).addDetails(Any.pack(info)).build();

        SheduException thrown = thrown(FakeServer.failure(Status.Code.FAILED_PRECONDITION, status.toByteArray()));

        assertEquals(SheduException.NotNow.class, thrown.getClass());
        assertEquals("NEWER_REASON", thrown.reason());
        assertEquals("facts", thrown.metadata().get("more"));
        assertEquals("told by the server (NEWER_REASON)", thrown.getMessage());
    }

    @Test
    void unreadableDetailsLeaveTheCode() {
        SheduException thrown = thrown(FakeServer.failure(Status.Code.NOT_FOUND, new byte[] {1, 2, 3}));

        assertEquals(SheduException.NotFound.class, thrown.getClass());
        assertEquals("", thrown.reason());
    }

    private SheduException thrown(StatusRuntimeException failure) {
        server.failures.add(failure);
        Player player = client.player("game", 0, "token");
        return assertThrows(SheduException.class, () -> player.play(Action.getDefaultInstance(), "decision"));
    }
}
