package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** Sends lists of 1,000 peeks under an idempotency key, and of 1,000 checks with a timeout of a millisecond. */
final class LargeLists extends RepeatedAttack {
    private static final int SIZE = 1_000;
    private static final String PEEKS =
            HttpRequests.list(SIZE, HttpRequests.body(HostilePolicies.LIST, "mallory", ",\"peek\":true"));
    private static final String CHECKS =
            HttpRequests.list(SIZE, HttpRequests.body(HostilePolicies.LIST, "mallory", ",\"timeout_ms\":1"));

    private int turns;

    LargeLists(List<Target> targets) {
        super("large lists", targets, 2_000);
    }

    @Override
    void turn(Target target) throws IOException {
        boolean isPeek = turns++ % 4 < 2;
        String header = isPeek ? "Idempotency-Key: " + UUID.randomUUID() + "\r\n" : "";
        ask(target.port(), HttpRequests.post("/v1/check", isPeek ? PEEKS : CHECKS, header), 200);
    }
}
