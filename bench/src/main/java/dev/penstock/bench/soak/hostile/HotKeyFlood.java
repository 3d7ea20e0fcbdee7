package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;

/** Sends requests for one key far beyond its limit. */
final class HotKeyFlood extends RepeatedAttack {
    HotKeyFlood(List<Target> targets) {
        super("hot key", targets, 5);
    }

    @Override
    void turn(Target target) throws IOException {
        ask(target.port(), HttpRequests.post("/v1/check", HttpRequests.body(HostilePolicies.HOT, "mallory")), 200);
    }
}
