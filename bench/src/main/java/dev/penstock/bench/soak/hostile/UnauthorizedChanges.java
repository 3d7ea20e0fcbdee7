package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;

/** Tries to change the service through the admin port, without a token and with a wrong one. */
final class UnauthorizedChanges extends RepeatedAttack {
    private record Change(String path, String body) {}

    private static final String KEY = "{\"policy\":\"users\",\"key\":[\"alice\"]}";
    private static final List<Change> CHANGES = List.of(
            new Change("/admin/shadow", "{\"for_ms\":3600000}"),
            new Change("/admin/keys/reset", KEY),
            new Change("/admin/keys/block", "{\"policy\":\"users\",\"key\":[\"alice\"],\"for_ms\":3600000}"),
            new Change("/admin/policies/users/reset", "{}"),
            new Change("/admin/policies/reload", "{}"),
            new Change("/admin/log/watch", "{}"));

    private int turns;

    UnauthorizedChanges(List<Target> targets) {
        super("unauthorized changes", targets, 500);
    }

    @Override
    void turn(Target target) throws IOException {
        Change change = CHANGES.get(turns / 2 % CHANGES.size());
        String token = turns++ % 4 < 2 ? "" : "Authorization: Bearer not-the-token-of-anybody\r\n";
        ask(target.adminPort(), HttpRequests.post(change.path(), change.body(), token), 401, 403);
    }
}
