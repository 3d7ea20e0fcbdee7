package dev.penstock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A Lua script in the form in which it is sent: a text assembled from files, and its digest. Redis compiles a text once
 * and stores it by its digest.
 *
 * @param text the argument of EVAL
 * @param sha the argument of EVALSHA
 */
record Script(String text, String sha) {
    private static final String CLOCK = "clock.lua";

    /** Files for scripts that read and write all states. */
    private static final List<String> STATES =
            List.of("key_expiry.lua", "state_format.lua", "short_form.lua", "full_form.lua");

    /** Files with all algorithms, and accounts with holds and entries. */
    private static final List<String> ACCOUNTS = List.of(
            "foreign_value.lua",
            "token_bucket.lua",
            "leaky_bucket.lua",
            "fixed_window.lua",
            "sliding_window.lua",
            "sliding_log.lua",
            "concurrency.lua",
            "lockout.lua",
            "rule_reader.lua",
            "account.lua",
            "holds.lua");

    static final List<String> DECIDE = withAccounts("decide.lua");
    static final List<String> PERMIT = withAccounts("permit.lua");
    static final List<String> BATCH =
            Stream.concat(STATES.stream(), Stream.of("batch.lua")).toList();
    static final List<String> REQUEST = List.of("state_format.lua", "full_form.lua", "request.lua");
    static final List<String> BUCKET = List.of("state_format.lua", "bucket.lua");

    /** Returns the files of the script that decides a packed call. */
    static List<String> of(PackedCall.Target target) {
        return switch (target) {
            case BATCH -> BATCH;
            case REQUEST -> REQUEST;
            case BUCKET -> BUCKET;
        };
    }

    private static List<String> withAccounts(String file) {
        return Stream.of(STATES, ACCOUNTS, List.of(file)).flatMap(List::stream).toList();
    }

    /** Assembles the files into a script that uses the store's own clock. */
    static Script of(List<String> files) {
        return of(read(CLOCK), files);
    }

    /**
     * For tests: assembles a script that takes the time as its last argument. Its keys live as long as a test may take.
     */
    static Script onGivenTime(List<String> files) {
        return of("local now, SPARE_MS = tonumber(ARGV[#ARGV]), 3600000\n", files);
    }

    private static Script of(String clock, List<String> files) {
        StringBuilder text = new StringBuilder(clock);
        for (String file : files) {
            text.append(read(file));
        }
        return new Script(text.toString(), sha1(text.toString()));
    }

    /** For tests: returns the script with a changed text, as another build of this module would send it. */
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
