package shedu.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import shedu.v1.Action;

/** A server that asks for a certificate; those of the tests are in the folder that the environment names. */
class TlsTest {
    private Path folder;
    private FakeServer server;

    @BeforeEach
    void start() throws Exception {
        String found = System.getenv("SHEDU_TEST_CERTIFICATES");
        assumeTrue(found != null, "SHEDU_TEST_CERTIFICATES names no folder");
        folder = Path.of(found);
        SslContextBuilder pair = SslContextBuilder.forServer(file("server.crt"), file("server.key"));
        SslContext context = GrpcSslContexts.configure(pair)
                .trustManager(file("ca.crt"))
                .clientAuth(ClientAuth.REQUIRE)
                .build();
        server = new FakeServer(builder -> builder.sslContext(context));
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private File file(String name) {
        return folder.resolve(name).toFile();
    }

    private SheduException play(String scheme, int port, Map<String, String> files, Duration patience) {
        Map<String, String> environment = new HashMap<>();
        files.forEach((variable, name) -> environment.put(variable, folder.resolve(name).toString()));
        try (SheduClient client = new SheduClientBuilder(environment)
                .server(scheme + "://localhost:" + port)
                .patience(patience)
                .build()) {
            Player player = client.player("game", 0, "token");
            return assertThrows(SheduException.class, () -> player.play(Action.getDefaultInstance(), "decision"));
        }
    }

    @Test
    void aCallerWithACertificateIsAnswered() {
        Map<String, String> environment = Map.of(
                "SHEDU_SERVER_CA", file("ca.crt").toString(),
                "SHEDU_CLIENT_CERT", file("caller.crt").toString(),
                "SHEDU_CLIENT_KEY", file("caller.key").toString());
        try (SheduClient client = new SheduClientBuilder(environment)
                .server("grpcs://localhost:" + server.port())
                .patience(Duration.ofMinutes(2))
                .build()) {
            client.player("game", 0, "token").play(Action.getDefaultInstance(), "decision");
        }

        assertEquals(1, server.played.size());
    }

    @Test
    void aCallerWithoutACertificateIsNotAnswered() {
        SheduException error =
                play("grpcs", server.port(), Map.of("SHEDU_SERVER_CA", "ca.crt"), Duration.ofSeconds(1));

        assertEquals(SheduException.Unavailable.class, error.getClass());
        assertEquals(0, server.played.size());
    }

    @Test
    void aServerOfAnotherAuthorityIsNotTrusted() {
        SheduException error =
                play("grpcs", server.port(), Map.of("SHEDU_SERVER_CA", "other.crt"), Duration.ofSeconds(1));

        assertEquals(SheduException.Unavailable.class, error.getClass());
        assertTrue(error.getMessage().contains("certif"), error.getMessage());
        assertEquals(0, server.played.size());
    }

    @Test
    void aPlainAddressOfAServerWithTlsIsSuspectedToBeOne() {
        SheduException error = play("grpc", server.port(), Map.of(), Duration.ofSeconds(1));

        assertEquals(SheduException.Unavailable.class, error.getClass());
        assertTrue(error.getMessage().contains("if it uses TLS, its address begins with grpcs://"), error.getMessage());
    }

    @Test
    void anAddressWithTlsOfAPlainServerIsNamedAsSuch() throws Exception {
        try (FakeServer plain = new FakeServer()) {
            SheduException error = play("grpcs", plain.port(), Map.of(), Duration.ofMinutes(2));

            assertEquals(SheduException.NotOffered.class, error.getClass(), error.getMessage());
            assertEquals("the server does not use TLS: its address begins with grpc://", error.getMessage());
        }
    }
}
