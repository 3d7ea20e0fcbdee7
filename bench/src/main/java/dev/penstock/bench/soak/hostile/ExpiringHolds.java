package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Takes many permits on one key and lets all permits of a minute expire at the same moment. */
final class ExpiringHolds extends RepeatedAttack {
    private static final long TOGETHER_MILLIS = 60_000;

    ExpiringHolds(List<Target> targets) {
        super("expiring holds", targets, 10);
    }

    @Override
    void turn(Target target) throws IOException {
        long nowMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        long holdMillis = TOGETHER_MILLIS - Math.floorMod(nowMillis, TOGETHER_MILLIS);
        String body = HttpRequests.body(HostilePolicies.EXPIRING, "mallory", ",\"hold_ms\":" + holdMillis);
        ask(target.port(), HttpRequests.post("/v1/permits", body), 200, 429);
        counts().stored(1);
    }
}
