package dev.penstock.bench.core;

import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.LimitStatus;
import org.openjdk.jmh.infra.Blackhole;

/** Reads what a server needs for its response headers: the remaining permits and, after a denial, when to try again. */
final class Reading {
    private Reading() {}

    static void remainingAndRetry(Decision decision, Blackhole blackhole) {
        LimitStatus binding = decision.binding();
        if (binding != null) {
            blackhole.consume(binding.remaining());
        }
        if (decision instanceof Denied denied) {
            blackhole.consume(denied.retry());
        }
    }
}
