package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.redis.RedisEngine;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * The address of Redis, in the form that {@code Penstock.redis} takes. {@link #toString} never shows the password.
 *
 * @param text the address, including the password if there is one
 */
public record RedisUri(String text) {
    public RedisUri {
        var unused = RedisEngine.builder(Expect.text(text, "uri"));
    }

    /**
     * Returns this address with a password. It belongs to the user that the address names, as in {@code
     * redis://user:@host}, or to the default user.
     *
     * @throws IllegalArgumentException if the address has a password already
     */
    public RedisUri withPassword(String password) {
        Expect.text(password, "password");
        int from = text.indexOf("://") + 3;
        int at = text.lastIndexOf('@');
        String user = at < from ? ":" : text.substring(from, at);
        Expect.that(
                user.endsWith(":") && user.indexOf(':') == user.length() - 1,
                "redis",
                "a password in the address and redis_password_file",
                "only one of the two; write a user without a password as redis://user:@host");
        String escaped = URLEncoder.encode(password, StandardCharsets.UTF_8).replace("+", "%20");
        return new RedisUri(text.substring(0, from) + user + escaped + "@" + text.substring(Math.max(from, at + 1)));
    }

    /** Returns true if connections to this address use TLS. */
    public boolean usesTls() {
        return text.startsWith("rediss");
    }

    /** Returns the address with {@code hidden} instead of the password. */
    @Override
    public String toString() {
        int from = text.indexOf("://") + 3;
        int at = text.lastIndexOf('@');
        if (at < from) {
            return text;
        }
        int colon = text.indexOf(':', from);
        String user = colon >= 0 && colon < at ? text.substring(from, colon) + ":" : "";
        return text.substring(0, from) + user + "hidden" + text.substring(at);
    }
}
