package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Uses a new key for each request, under a limit that keeps its state for a month. */
final class FreshKeys extends RepeatedAttack {
    private static final int KEYS_PER_CALL = 50;

    private long keys;

    FreshKeys(List<Target> targets) {
        super("fresh keys", targets, 100);
    }

    @Override
    void turn(Target target) throws IOException {
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < KEYS_PER_CALL; i++) {
            bodies.add(HttpRequests.body(HostilePolicies.MONTH, "fresh-" + keys++));
        }
        ask(target.port(), HttpRequests.post("/v1/check", bodies.toString()), 200);
        counts().stored(KEYS_PER_CALL);
    }
}
