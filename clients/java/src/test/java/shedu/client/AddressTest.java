package shedu.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
    @ParameterizedTest
    @CsvSource({
        "localhost:50051, localhost:50051, false",
        "play.example.org, play.example.org:50051, false",
        "grpc://127.0.0.1:7/, 127.0.0.1:7, false",
        "grpcs://play.example.org, play.example.org:443, true",
        "https://[::1]:8443, [::1]:8443, true",
    })
    void anAddress(String server, String target, boolean tls) {
        assertEquals(new Address(target, tls), Address.of(server));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://host", "host:0", "host:99999", "host:port", "host/path", "host?x=1", "two words", ":1"})
    void notAnAddress(String server) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Address.of(server));

        assertTrue(refused.getMessage().startsWith(server + " is not the address of a server"), refused.getMessage());
    }

    @Test
    void aPasswordInAnAddressIsNotShown() {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> Address.of("grpc://ann:secret@host"));

        assertFalse(refused.toString().contains("secret"));
    }

    @Test
    void tokensAndCertificatesAreChecked() {
        SheduClientBuilder garbled = new SheduClientBuilder(Map.of("SHEDU_TOKEN", "two words"));
        SheduClientBuilder plain = new SheduClientBuilder(Map.of()).clientCertificate(new byte[1], new byte[1]);
        SheduClientBuilder broken = new SheduClientBuilder(Map.of()).server("grpcs://host").roots(new byte[] {1});
        SheduClientBuilder absent = new SheduClientBuilder(Map.of("SHEDU_SERVER_CA", "no-such-file"));
        SheduClientBuilder half = new SheduClientBuilder(Map.of("SHEDU_CLIENT_CERT", "pom.xml"));

        assertFalse(refusal(garbled).contains("two words"));
        assertTrue(refusal(plain).contains("begins with grpcs://"));
        assertTrue(refusal(broken).contains("certificate"));
        assertTrue(refusal(absent.server("grpcs://host")).contains("SHEDU_SERVER_CA: no-such-file cannot be read"));
        assertTrue(refusal(half.server("grpcs://host")).contains("a client certificate needs its key"));
    }

    private static String refusal(SheduClientBuilder builder) {
        return assertThrows(IllegalArgumentException.class, builder::build).getMessage();
    }
}
