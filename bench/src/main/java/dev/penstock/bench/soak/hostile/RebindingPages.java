package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;

/** Sends requests like a page of another site whose name resolves to the service (DNS rebinding). */
final class RebindingPages extends RepeatedAttack {
    private static final String BODY = HttpRequests.body(HostilePolicies.CHECK, "victim");
    private static final String HEADERS =
            "Host: evil.example\r\nOrigin: http://evil.example\r\nContent-Type: application/json\r\n";

    RebindingPages(List<Target> targets) {
        super("rebinding pages", targets, 200);
    }

    @Override
    void turn(Target target) throws IOException {
        String request =
                "POST /v1/check HTTP/1.1\r\n" + HEADERS + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY;
        ask(target.port(), request, 403);
    }
}
