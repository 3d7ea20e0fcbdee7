package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;

/** Sends {@code ip} attributes with ports, and others that are not addresses. */
final class AddressGarbage extends RepeatedAttack {
    private static final List<String> GARBAGE = List.of(
            "", "localhost", "203.0.113", "203.0.113.7:http", "203.0.113.7, 192.0.2.1", "[::1", "x".repeat(5_000));

    private int turns;

    AddressGarbage(List<Target> targets) {
        super("address garbage", targets, 50);
    }

    @Override
    void turn(Target target) throws IOException {
        int turn = turns++;
        boolean isAddress = turn % 4 < 2;
        String ip = isAddress ? "192.0.2.7:" + (1_024 + turn % 60_000) : GARBAGE.get(turn / 4 % GARBAGE.size());
        String body = "{\"attributes\":{\"kind\":\"" + HostilePolicies.ADDRESS + "\",\"ip\":\"" + ip + "\"}}";
        ask(target.port(), HttpRequests.post("/v1/check", body), isAddress ? 200 : 400);
    }
}
