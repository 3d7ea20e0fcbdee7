package dev.penstock.bench.harness;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Counts one thread's decisions, to prove that a case does what it says. It also makes sure that the decisions are
 * used.
 */
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
