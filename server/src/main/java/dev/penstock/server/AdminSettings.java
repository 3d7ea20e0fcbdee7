package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The port of those who run the service.
 *
 * @param at on this machine alone unless there is a token
 * @param tokens of which a caller has to show one; none: whoever reaches the port may do everything
 * @param audit where changes are written down; null: nowhere
 * @param metrics a port of their own for the metrics, where no token is asked; null: they are on the admin port
 */
public record AdminSettings(
        ListenAddress at,
        List<AdminToken> tokens,
        @Nullable Path audit,
        @Nullable ListenAddress metrics) {
    /** Where the port of the metrics is, if there is one and nothing else was said. */
    public static final String USUAL_METRICS_HOST = "127.0.0.1";

    /** Where changes are written down unless told, from where the service was started. */
    public static final Path USUAL_AUDIT = Path.of("audit.jsonl");

    /** What the token is called that has no other name. */
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
                "admin.token, or an address that only this machine reaches, such as 127.0.0.1");
        Expect.that(
                metrics == null || !metrics.meets(at),
                "metrics.port",
                metrics == null ? null : metrics.port(),
                "another than admin.port");
        long different = tokens.stream().map(AdminToken::secret).distinct().count();
        Expect.that(different == tokens.size(), "admin.read_tokens", "a token twice", "each token once, in one role");
    }

    /** The default elsewhere. */
    public AdminSettings(ListenAddress at) {
        this(at, List.of(), USUAL_AUDIT, null);
    }

    /** The same with one token, which may do everything. */
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
