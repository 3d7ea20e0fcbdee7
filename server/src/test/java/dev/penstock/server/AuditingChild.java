package dev.penstock.server;

import java.nio.file.Path;

/** A service in a separate process that makes one change after another, and prints each status, until it is killed. */
final class AuditingChild {
    private static final int MOST = 100_000;

    private AuditingChild() {}

    public static void main(String[] args) throws Exception {
        ServerSettings settings = TestService.settings(Path.of(args[0]));
        try (PenstockServer server =
                PenstockServer.start(settings.withAdmin(settings.admin().withAudit(Path.of(args[1]))))) {
            ServiceClient admin = ServiceClient.ofAdmin(server);
            for (int i = 0; i < MOST; i++) {
                System.out.println(
                        admin.post("/admin/keys/reset", "{\"policy\": \"api\", \"key\": [\"user-" + i + "\"]}")
                                .statusCode());
            }
        }
    }
}
