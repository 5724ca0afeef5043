package shedu.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;

/** Where a server is. */
record Address(String target, boolean tls) {
    private static final Set<String> PLAIN = Set.of("grpc", "http");
    private static final Set<String> TLS = Set.of("grpcs", "https");
    private static final int PLAIN_PORT = 50051;
    private static final int TLS_PORT = 443;

    /** Reads {@code host:port}, {@code grpc://…} or, with TLS, {@code grpcs://…}. */
    static Address of(String server) {
        URI parts = parse(server);
        boolean tls = TLS.contains(parts.getScheme());
        boolean bare = parts.getRawPath().isEmpty() || parts.getRawPath().equals("/");
        boolean known = tls || PLAIN.contains(parts.getScheme());
        if (!known || !bare || parts.getRawQuery() != null || parts.getRawFragment() != null) {
            throw notAnAddress(server, null);
        }
        if (parts.getHost() == null || parts.getUserInfo() != null || parts.getPort() == 0 || parts.getPort() > 65535) {
            throw notAnAddress(server, null);
        }
        int port = parts.getPort() > 0 ? parts.getPort() : tls ? TLS_PORT : PLAIN_PORT;
        return new Address(parts.getHost() + ":" + port, tls);
    }

    private static URI parse(String server) {
        try {
            return new URI(server.contains("://") ? server : "grpc://" + server);
        } catch (URISyntaxException malformed) {
            throw notAnAddress(server, malformed);
        }
    }

    private static IllegalArgumentException notAnAddress(String server, Exception cause) {
        // What stands before an "@" may be a password, and so may be in the cause.
        boolean secret = server.contains("@");
        String shown = secret ? "This" : server;
        return new IllegalArgumentException(
                shown + " is not the address of a server, such as localhost:50051 or grpcs://play.example.org",
                secret ? null : cause);
    }
}
