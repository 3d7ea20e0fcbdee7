package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** Repeats a denied request, each time under a new idempotency key. */
final class FreshIdempotencyKeys extends RepeatedAttack {
    private static final String BODY = HttpRequests.body(HostilePolicies.DENIED, "mallory");

    FreshIdempotencyKeys(List<Target> targets) {
        super("fresh idempotency keys", targets, 20);
    }

    @Override
    void turn(Target target) throws IOException {
        String header = "Idempotency-Key: " + UUID.randomUUID() + "\r\n";
        ask(target.port(), HttpRequests.post("/v1/check", BODY, header), 200);
    }
}
