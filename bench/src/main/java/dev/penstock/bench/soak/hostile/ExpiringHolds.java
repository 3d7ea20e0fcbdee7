package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;

/** Takes many short permits on one key and lets them expire. */
final class ExpiringHolds extends RepeatedAttack {
    private static final String BODY = HttpRequests.body(HostilePolicies.EXPIRING, "mallory", ",\"hold_ms\":2000");

    ExpiringHolds(List<Target> targets) {
        super("expiring holds", targets, 10);
    }

    @Override
    void turn(Target target) throws IOException {
        ask(target.port(), HttpRequests.post("/v1/permits", BODY), 200, 429);
        counts().stored(1);
    }
}
