package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;

/** Takes permits of cost 0 for an hour as one caller and never ends them. */
final class LongHolds extends RepeatedAttack {
    private static final String BODY =
            HttpRequests.body(HostilePolicies.HOLD, "mallory", ",\"costs\":{\"requests\":0},\"hold_ms\":3600000");

    LongHolds(List<Target> targets) {
        super("long holds", targets, 50);
    }

    @Override
    void turn(Target target) throws IOException {
        ask(target.port(), HttpRequests.post("/v1/permits", BODY), 200, 429);
        counts().stored(1);
    }
}
