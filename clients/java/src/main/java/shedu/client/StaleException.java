package shedu.client;

import java.util.List;
import shedu.v1.Event;
import shedu.v1.MissedEvents;

/** The call came too late: the decision was answered, or the game is past the expected version. */
public final class StaleException extends SheduException {
    private static final long serialVersionUID = 1L;

    StaleException(Failure failure) {
        super(failure);
    }

    /**
     * {@return what happened meanwhile, oldest first}
     */
    public List<Event> events() {
        return detail(MissedEvents.class).map(MissedEvents::getEventsList).orElse(List.of());
    }

    /**
     * {@return the version of the game now; 0 if the server did not say}
     */
    public long version() {
        return detail(MissedEvents.class).map(MissedEvents::getVersion).orElse(0L);
    }
}
