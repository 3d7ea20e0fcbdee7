package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.spi.IdempotencyKey;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key under which a caller may repeat a call without being charged again. Keys are separate for each caller: for
 * each token or, without tokens, each certificate. Immutable.
 *
 * <p>The key belongs to the call, including its body, that used it first. The store keeps only hashes, which reveal
 * neither the key nor the token.
 */
final class IdempotencyKeyHeader {
    /** The header's name as shown in error messages. */
    static final String NAME = "Idempotency-Key";

    private static final AsciiString HEADER = HttpHeaderNames.of(NAME);

    private static final int LONGEST = 255;
    private static final String EXPECTED = "1 to " + LONGEST + " visible ASCII characters, quoted or unquoted";
    private static final int DIGEST_BYTES = 16;

    private final String id;
    private final String fingerprint;

    private IdempotencyKeyHeader(String id, String fingerprint) {
        this.id = id;
        this.fingerprint = fingerprint;
    }

    /** Returns the key of a call, or null if it has none. */
    static @Nullable IdempotencyKeyHeader of(ServiceRequestContext context, AggregatedHttpRequest call)
            throws BadRequest {
        List<String> written = call.headers().getAll(HEADER);
        if (written.isEmpty()) {
            return null;
        }
        if (written.size() > 1) {
            throw bad("sent " + written.size() + " times", "once");
        }
        byte[] key = bytes(unquoted(written.get(0).strip()));
        byte[] place = bytes(call.method() + " " + call.path());
        return new IdempotencyKeyHeader(
                digest(Caller.of(context, call.headers()), key),
                digest(place, call.content().array()));
    }

    /** Returns the id of the call as a whole. */
    IdempotencyKey whole() {
        return new IdempotencyKey(id, fingerprint);
    }

    /**
     * Returns the id of one item of a list. No other call can have the same id, because it contains the fingerprint. It
     * may live longer than the id of the whole call.
     */
    IdempotencyKey item(int index) {
        return new IdempotencyKey(id + "-" + fingerprint + "-" + index, fingerprint);
    }

    /** Accepts a quoted String of RFC 8941, as the draft requires, and unquoted text, as many clients send it. */
    private static String unquoted(String written) throws BadRequest {
        boolean isQuoted = written.startsWith("\"");
        String text = isQuoted ? contents(written) : written;
        if (text.isEmpty() || text.length() > LONGEST || text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw bad("a value of " + text.length() + " characters", EXPECTED);
        }
        return text;
    }

    private static String contents(String written) throws BadRequest {
        StringBuilder text = new StringBuilder();
        int last = written.length() - 1;
        for (int i = 1; i < last; i++) {
            char c = written.charAt(i);
            boolean isEscaped = c == '\\' && i + 1 < last;
            char next = isEscaped ? written.charAt(++i) : c;
            if ((isEscaped && next != '"' && next != '\\') || (!isEscaped && (c == '"' || c == '\\'))) {
                throw bad("a value with mismatched quotes", EXPECTED);
            }
            text.append(next);
        }
        if (last < 1 || written.charAt(last) != '"') {
            throw bad("a value with mismatched quotes", EXPECTED);
        }
        return text.toString();
    }

    private static BadRequest bad(String found, String expected) {
        return new BadRequest(NAME, found + " (expected: " + expected + ")");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Hashes both values. The length of the first keeps different pairs from being concatenated to the same bytes. */
    private static String digest(byte[] first, byte[] second) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes(first.length + ":"));
            digest.update(first);
            digest.update(second);
            return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
