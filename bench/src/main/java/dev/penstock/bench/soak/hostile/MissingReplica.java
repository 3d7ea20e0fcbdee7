package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;

/** Sends requests under a policy that waits for a replica when there is none. */
final class MissingReplica extends RepeatedAttack {
    private static final String BODY = HttpRequests.body(HostilePolicies.REPLICATED, "mallory");

    MissingReplica(List<Target> targets) {
        super("missing replica", targets, 100);
    }

    @Override
    void turn(Target target) throws IOException {
        ask(target.port(), HttpRequests.post("/v1/check", BODY), 200);
    }
}
