package dev.penstock.server;

import dev.penstock.internal.Expect;
import org.jspecify.annotations.Nullable;

/**
 * The port of those who run the service.
 *
 * @param at on this machine alone unless there is a token
 * @param token what a caller has to show; null where none is asked
 */
public record AdminSettings(Listening at, @Nullable Secret token) {
    public static final AdminSettings DEFAULT = new AdminSettings(new Listening("127.0.0.1", 8081), null);

    public AdminSettings {
        Expect.present(at, "admin");
        Expect.that(
                token != null || at.isLoopback(),
                "admin.host",
                at.host() + " without a token",
                "admin.token, or an address that only this machine reaches, such as 127.0.0.1");
    }
}
