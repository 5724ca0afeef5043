package shedu.client;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;

/**
 * Sets which server to connect to, and how. The defaults come from the environment: SHEDU_SERVER, SHEDU_TOKEN and, for
 * TLS, the PEM files named by SHEDU_SERVER_CA, SHEDU_CLIENT_CERT and SHEDU_CLIENT_KEY.
 */
public final class SheduClientBuilder {
    private static final String DEFAULT_SERVER = "localhost:50051";
    private static final int LARGEST_MESSAGE = 64 << 20;

    private final Map<String, String> environment;
    private String server = "";
    private String token;
    private Duration patience = Duration.ofSeconds(30);
    private Consumer<String> onMessage = message -> {};
    private byte[] roots;
    private byte[] clientCertificate;
    private byte[] clientKey;

    SheduClientBuilder() {
        this(System.getenv());
    }

    SheduClientBuilder(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * Sets the server.
     *
     * @param server {@code host:port}, {@code grpc://host:port} or, with TLS, {@code grpcs://host}
     * @return this builder
     */
    public SheduClientBuilder server(String server) {
        this.server = server;
        return this;
    }

    /**
     * Sets who calls.
     *
     * @param token an API key or a JWT, where the server asks for one; it is never printed or logged
     * @return this builder
     */
    public SheduClientBuilder token(String token) {
        this.token = token;
        return this;
    }

    /**
     * Sets for how long a call or a broken stream is tried again while no server answers; 30 seconds unless set.
     *
     * @param patience {@link SheduClient#FOREVER}, or from the beginning of a call, or from the moment at which a stream broke
     * @return this builder
     */
    public SheduClientBuilder patience(Duration patience) {
        this.patience = patience;
        return this;
    }

    /**
     * Sets what gets messages for people: that no server answers, and that one answers again; nothing unless set.
     *
     * @param onMessage called with a sentence, by any thread
     * @return this builder
     */
    public SheduClientBuilder onMessage(Consumer<String> onMessage) {
        this.onMessage = onMessage;
        return this;
    }

    /**
     * Sets the authorities to trust instead of those of the Java runtime.
     *
     * @param pem their certificates
     * @return this builder
     */
    public SheduClientBuilder roots(byte[] pem) {
        this.roots = pem.clone();
        return this;
    }

    /**
     * Sets what to present to a server that asks callers for a certificate.
     *
     * @param certificatePem the certificate
     * @param keyPem its private key, in PKCS #8
     * @return this builder
     */
    public SheduClientBuilder clientCertificate(byte[] certificatePem, byte[] keyPem) {
        this.clientCertificate = certificatePem.clone();
        this.clientKey = keyPem.clone();
        return this;
    }

    /**
     * Makes the client; nothing is sent before the first call.
     *
     * @return the client
     * @throws IllegalArgumentException if the address, the token or a certificate cannot be used
     */
    public SheduClient build() {
        String named = server.isEmpty() ? environment.getOrDefault("SHEDU_SERVER", "") : server;
        Address address = Address.of(named.isEmpty() ? DEFAULT_SERVER : named);
        if (clientCertificate != null && !address.tls()) {
            throw new IllegalArgumentException(
                    address.target() + " would get no certificate: an address with TLS begins with grpcs://");
        }
        String bearer = checked(token == null ? environment.getOrDefault("SHEDU_TOKEN", "") : token);
        return new SheduClient(new Connection(channel(address), address.target(), patience, onMessage), bearer);
    }

    private ManagedChannel channel(Address address) {
        NettyChannelBuilder channel = NettyChannelBuilder.forTarget(address.target())
                .maxInboundMessageSize(LARGEST_MESSAGE)
                .disableServiceConfigLookUp()
                // A dead connection is detected within 20 seconds.
                .keepAliveTime(15, TimeUnit.SECONDS)
                .keepAliveTimeout(5, TimeUnit.SECONDS);
        if (!address.tls()) {
            return channel.usePlaintext().build();
        }
        return channel.sslContext(tls()).build();
    }

    private SslContext tls() {
        byte[] trusted = roots != null ? roots : file("SHEDU_SERVER_CA");
        boolean given = clientCertificate != null;
        byte[] certificate = given ? clientCertificate : file("SHEDU_CLIENT_CERT");
        byte[] key = given ? clientKey : file("SHEDU_CLIENT_KEY");
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("a client certificate needs its key, and a key its certificate");
        }
        try {
            SslContextBuilder context = GrpcSslContexts.forClient();
            if (trusted != null) {
                context.trustManager(new ByteArrayInputStream(trusted));
            }
            if (certificate != null) {
                context.keyManager(new ByteArrayInputStream(certificate), new ByteArrayInputStream(key));
            }
            return context.build();
        } catch (SSLException unusable) {
            throw new IllegalArgumentException("the certificates cannot be used: " + unusable.getMessage(), unusable);
        }
    }

    private byte[] file(String variable) {
        String name = environment.getOrDefault(variable, "");
        if (name.isEmpty()) {
            return null;
        }
        try {
            return Files.readAllBytes(Path.of(name));
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(variable + ": " + name + " cannot be read", unreadable);
        }
    }

    private static String checked(String token) {
        String found = token.strip();
        if (!found.chars().allMatch(letter -> letter > ' ' && letter < 127)) {
            throw new IllegalArgumentException("a token has only printable ASCII characters");
        }
        return found;
    }
}
