package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.redis.RedisEngine;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Where Redis is, in the form that {@link RedisEngine#at} takes. {@link #toString} never shows the password.
 *
 * @param text with the password, if there is one
 */
public record RedisUri(String text) {
    public RedisUri {
        var unused = RedisEngine.builder(Expect.text(text, "uri"));
    }

    /**
     * This address with a password, for the user that it names as {@code redis://user:@host}, or for the default user.
     *
     * @throws IllegalArgumentException if it has a password already
     */
    public RedisUri withPassword(String password) {
        Expect.text(password, "password");
        int from = text.indexOf("://") + 3;
        int at = text.lastIndexOf('@');
        String user = at < from ? ":" : text.substring(from, at);
        Expect.that(
                user.endsWith(":") && user.indexOf(':') == user.length() - 1,
                "redis",
                "given with a password, beside redis_password_file",
                "one of the two; a user without a password is written redis://user:@host");
        String escaped = URLEncoder.encode(password, StandardCharsets.UTF_8).replace("+", "%20");
        return new RedisUri(text.substring(0, from) + user + escaped + "@" + text.substring(Math.max(from, at + 1)));
    }

    /** The same with {@code hidden} in the place of the password. */
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
