package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.redis.RedisEngine;

/**
 * Where Redis is, in the form that {@link RedisEngine#at} takes. {@link #toString} never shows the password.
 *
 * @param text with the password, if there is one
 */
public record RedisUri(String text) {
    public RedisUri {
        var unused = RedisEngine.at(Expect.text(text, "uri"));
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
