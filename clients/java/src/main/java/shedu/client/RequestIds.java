package shedu.client;

import java.util.UUID;

/** Ids with which a call that is sent twice takes effect once. */
final class RequestIds {
    private RequestIds() {}

    static String create() {
        return UUID.randomUUID().toString();
    }
}
