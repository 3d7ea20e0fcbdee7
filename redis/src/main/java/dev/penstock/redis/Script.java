package dev.penstock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.UnaryOperator;

/**
 * A Lua script as it is sent: its text, put together from files, and the digest that Redis knows it by.
 *
 * @param text what EVAL is given
 * @param sha what EVALSHA is given
 */
record Script(String text, String sha) {
    private static final String CLOCK = "clock.lua";

    /** The files put together, on the store's own clock. */
    static Script of(String... files) {
        return of(read(CLOCK), files);
    }

    /** The same, on a clock whose reading is the last argument; keys then live as long as a test may take. */
    static Script onGivenTime(String... files) {
        return of("local now, SPARE_MS = tonumber(ARGV[#ARGV]), 3600000\n", files);
    }

    private static Script of(String clock, String[] files) {
        StringBuilder text = new StringBuilder(clock);
        for (String file : files) {
            text.append(read(file));
        }
        return new Script(text.toString(), sha1(text.toString()));
    }

    /** The same with another text, as another build of this module would send it. */
    Script changed(UnaryOperator<String> change) {
        String other = change.apply(text);
        return new Script(other, sha1(other));
    }

    private static String read(String file) {
        try (InputStream in = Script.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + ": not on the class path");
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
