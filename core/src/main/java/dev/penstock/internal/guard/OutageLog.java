package dev.penstock.internal.guard;

import dev.penstock.engine.Guard;
import dev.penstock.engine.StoreOutageEvent;
import dev.penstock.engine.StoreOutageListener;
import dev.penstock.internal.Durations;
import java.lang.System.Logger.Level;

/** Logs outages of the store as errors and warnings, so that nobody overlooks them. */
public final class OutageLog implements StoreOutageListener {
    private static final System.Logger LOG = System.getLogger(Guard.class.getName());

    @Override
    public void onEvent(StoreOutageEvent event) {
        if (event instanceof StoreOutageEvent.Entered entered) {
            LOG.log(
                    Level.ERROR,
                    "the store {0} failed ({1}); the failure modes of the policies decide",
                    entered.store(),
                    entered.why());
        } else if (event instanceof StoreOutageEvent.TimeUp timeUp) {
            LOG.log(Level.ERROR, timeUpText(timeUp), timeUp.store(), timeUp.mode(), timeUp.then());
        } else if (event instanceof StoreOutageEvent.Left left) {
            LOG.log(
                    Level.WARNING,
                    "the store {0} is back after {1}; {2} decisions were made without it",
                    left.store(),
                    Durations.text(left.spent()),
                    left.decisions());
        }
    }

    private static String timeUpText(StoreOutageEvent.TimeUp timeUp) {
        return timeUp.mode() == timeUp.then()
                ? "the store {0} has been away for too long; {1} limits keep enforcing their shares"
                : "the store {0} has been away for too long; limits that were {1} are {2} from now on";
    }
}
