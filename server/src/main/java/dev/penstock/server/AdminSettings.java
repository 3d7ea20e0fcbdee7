package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the admin port.
 *
 * @param at the address; only this machine can reach it unless there is a token
 * @param tokens the accepted tokens; if empty, anyone who reaches the port may read, and make changes unless the node
 *     uses Redis
 * @param audit the audit file that records changes, or null for none
 * @param metrics a separate port for the metrics, which needs no token; null puts them on the admin port
 */
public record AdminSettings(
        ListenAddress at,
        List<AdminToken> tokens,
        @Nullable Path audit,
        @Nullable ListenAddress metrics) {
    /** The default host of the metrics port, if there is one. */
    public static final String USUAL_METRICS_HOST = "127.0.0.1";

    /** The default audit file, relative to the working directory. */
    public static final Path USUAL_AUDIT = Path.of("audit.jsonl");

    /** The name of the token that has no other name. */
    public static final String TOKEN = "admin.token";

    public static final AdminSettings DEFAULT =
            new AdminSettings(new ListenAddress("127.0.0.1", 8081), List.of(), USUAL_AUDIT, null);

    public AdminSettings {
        Expect.present(at, "admin");
        tokens = List.copyOf(tokens);
        Expect.that(
                !tokens.isEmpty() || at.isLoopback(),
                "admin.host",
                at.host() + " without a token",
                "PENSTOCK_ADMIN_TOKEN or admin.token_file, or an address that only this machine reaches, such as 127.0.0.1");
        Expect.that(
                metrics == null || !metrics.meets(at),
                "metrics.port",
                metrics == null ? null : metrics.port(),
                "a port other than admin.port");
        long different = tokens.stream().map(AdminToken::secret).distinct().count();
        Expect.that(different == tokens.size(), "admin.read_tokens", "a token twice", "each token once, in one role");
    }

    /** Creates the settings of an admin port at this address, with defaults for the rest. */
    public AdminSettings(ListenAddress at) {
        this(at, List.of(), USUAL_AUDIT, null);
    }

    /** Returns these settings with this as their only token, which may do everything. */
    public AdminSettings withToken(Secret token) {
        return withTokens(List.of(new AdminToken(TOKEN, AdminToken.Role.WRITE, token)));
    }

    public AdminSettings withTokens(List<AdminToken> other) {
        return new AdminSettings(at, other, audit, metrics);
    }

    public AdminSettings withAudit(@Nullable Path other) {
        return new AdminSettings(at, tokens, other, metrics);
    }

    public AdminSettings withMetrics(@Nullable ListenAddress other) {
        return new AdminSettings(at, tokens, audit, other);
    }
}
