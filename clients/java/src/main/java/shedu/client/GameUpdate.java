package shedu.client;

import java.util.List;
import shedu.v1.Event;
import shedu.v1.View;

/**
 * Events with one cause and the view that they lead to. The first update of a stream may have no events. An event of a
 * kind that this client does not know has the case {@code KIND_NOT_SET}.
 *
 * @param view what the caller knows afterwards
 * @param events what happened, oldest first
 * @param live false for what had happened before the stream began
 */
public record GameUpdate(View view, List<Event> events, boolean live) {
    /**
     * {@return the version of the game afterwards}
     */
    public long version() {
        return view.getVersion();
    }
}
