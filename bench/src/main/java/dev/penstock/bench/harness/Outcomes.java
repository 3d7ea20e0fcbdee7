package dev.penstock.bench.harness;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Counts one thread's decisions, which shows that a case is what it says; and whoever decides has to look anyway. */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class Outcomes {
    public long allowed;
    public long denied;

    public final void note(boolean isAllowed) {
        if (isAllowed) {
            allowed++;
        } else {
            denied++;
        }
    }
}
