package shedu.client;

import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import shedu.v1.GameServiceGrpc;
import shedu.v1.GetGameRequest;
import shedu.v1.GetGameResponse;
import shedu.v1.ListLegalActionsRequest;
import shedu.v1.ListLegalActionsResponse;
import shedu.v1.PlayActionRequest;
import shedu.v1.PlayActionResponse;
import shedu.v1.WatchGameRequest;
import shedu.v1.WatchGameResponse;

/** A server at a real socket that answers as a test says: for what no real server does today. */
final class FakeServer extends GameServiceGrpc.GameServiceImplBase implements AutoCloseable {
    static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

    final List<PlayActionRequest> played = new CopyOnWriteArrayList<>();
    final List<WatchGameRequest> watched = new CopyOnWriteArrayList<>();
    final List<String> tokens = new CopyOnWriteArrayList<>();
    /** What happens to the next attempts to play; after them every attempt is answered. */
    final ConcurrentLinkedQueue<StatusRuntimeException> failures = new ConcurrentLinkedQueue<>();
    /** The streams in the order in which they are opened; the last one is used again and again. */
    final ConcurrentLinkedQueue<Consumer<StreamObserver<WatchGameResponse>>> streams = new ConcurrentLinkedQueue<>();

    Function<ListLegalActionsRequest, ListLegalActionsResponse> legalActions =
            request -> ListLegalActionsResponse.getDefaultInstance();
    private final Server server;

    FakeServer() throws IOException {
        this(builder -> builder);
    }

    FakeServer(UnaryOperator<NettyServerBuilder> options) throws IOException {
        NettyServerBuilder builder = NettyServerBuilder.forPort(0).addService(this).intercept(new Tokens());
        server = options.apply(builder).build().start();
    }

    int port() {
        return server.getPort();
    }

    SheduClient client(Duration patience) {
        return SheduClient.builder().server("127.0.0.1:" + server.getPort()).token("").patience(patience).build();
    }

    @Override
    public void getGame(GetGameRequest request, StreamObserver<GetGameResponse> answer) {
        // Never answered.
    }

    @Override
    public void listLegalActions(ListLegalActionsRequest request, StreamObserver<ListLegalActionsResponse> answer) {
        answer.onNext(legalActions.apply(request));
        answer.onCompleted();
    }

    @Override
    public void playAction(PlayActionRequest request, StreamObserver<PlayActionResponse> answer) {
        played.add(request);
        StatusRuntimeException failure = failures.poll();
        if (failure != null) {
            answer.onError(failure);
            return;
        }
        answer.onNext(PlayActionResponse.getDefaultInstance());
        answer.onCompleted();
    }

    @Override
    public void watchGame(WatchGameRequest request, StreamObserver<WatchGameResponse> answer) {
        watched.add(request);
        Consumer<StreamObserver<WatchGameResponse>> stream = streams.size() > 1 ? streams.poll() : streams.peek();
        stream.accept(answer);
    }

    static StatusRuntimeException failure(Status.Code code, byte[] details) {
        Metadata trailers = new Metadata();
        trailers.put(DETAILS, details);
        return code.toStatus().withDescription("told by the server").asRuntimeException(trailers);
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private final class Tokens implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            String token = headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
            tokens.add(token == null ? "" : token);
            return next.startCall(call, headers);
        }
    }
}
