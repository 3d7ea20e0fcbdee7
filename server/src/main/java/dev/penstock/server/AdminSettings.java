package dev.penstock.server;

import dev.penstock.internal.Expect;
import org.jspecify.annotations.Nullable;

/**
 * The port of those who run the service.
 *
 * @param at on this machine alone unless there is a token
 * @param token what a caller has to show; null where none is asked
 * @param metrics a port of their own for the metrics, where no token is asked; null: they are on the admin port
 */
public record AdminSettings(
        Listening at, @Nullable Secret token, @Nullable Listening metrics) {
    /** Where the port of the metrics is, if there is one and nothing else was said. */
    public static final String USUAL_METRICS_HOST = "127.0.0.1";

    public static final AdminSettings DEFAULT = new AdminSettings(new Listening("127.0.0.1", 8081), null, null);

    public AdminSettings {
        Expect.present(at, "admin");
        Expect.that(
                token != null || at.isLoopback(),
                "admin.host",
                at.host() + " without a token",
                "admin.token, or an address that only this machine reaches, such as 127.0.0.1");
        Expect.that(
                metrics == null || !metrics.meets(at),
                "metrics.port",
                metrics == null ? null : metrics.port(),
                "another than admin.port");
    }

    public AdminSettings(Listening at, @Nullable Secret token) {
        this(at, token, null);
    }
}
