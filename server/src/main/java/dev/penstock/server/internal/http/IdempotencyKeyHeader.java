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
 * The key under which a caller may send a call again without being charged again. It is the caller's own: whoever shows
 * another token, or where there are none another certificate, has other keys. Immutable.
 *
 * <p>The key belongs to the call, body and all, that was sent with it first. Neither it nor the token can be read from what
 * stands for them in the store.
 */
final class IdempotencyKeyHeader {
    /** As people write it, and problem documents. */
    static final String NAME = "Idempotency-Key";

    private static final AsciiString HEADER = HttpHeaderNames.of(NAME);

    private static final int LONGEST = 255;
    private static final String EXPECTED = "1 to " + LONGEST + " visible characters of ASCII, in quotes or without";
    private static final int DIGEST_BYTES = 16;

    private final String id;
    private final String fingerprint;

    private IdempotencyKeyHeader(String id, String fingerprint) {
        this.id = id;
        this.fingerprint = fingerprint;
    }

    /** The key that a call was sent with; null where it has none. */
    static @Nullable IdempotencyKeyHeader of(ServiceRequestContext context, AggregatedHttpRequest call)
            throws BadRequest {
        List<String> written = call.headers().getAll(HEADER);
        if (written.isEmpty()) {
            return null;
        }
        if (written.size() > 1) {
            throw bad(written.size() + " of them", "one");
        }
        byte[] key = bytes(unquoted(written.get(0).strip()));
        byte[] place = bytes(call.method() + " " + call.path());
        return new IdempotencyKeyHeader(
                digest(Caller.of(context, call.headers()), key),
                digest(place, call.content().array()));
    }

    /** The id of the call as a whole. */
    IdempotencyKey whole() {
        return new IdempotencyKey(id, fingerprint);
    }

    /** The id of one item of a list, which no other call meets. The id of the whole may be over sooner. */
    IdempotencyKey item(int index) {
        return new IdempotencyKey(id + "-" + fingerprint + "-" + index, fingerprint);
    }

    /** A String of RFC 8941, as the draft has it, or the bare text, as many send it. */
    private static String unquoted(String written) throws BadRequest {
        boolean isQuoted = written.startsWith("\"");
        String text = isQuoted ? contents(written) : written;
        if (text.isEmpty() || text.length() > LONGEST || text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw bad(text.length() + " characters, or others than these", EXPECTED);
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
                throw bad("a text whose quotes do not match", EXPECTED);
            }
            text.append(next);
        }
        if (last < 1 || written.charAt(last) != '"') {
            throw bad("a text whose quotes do not match", EXPECTED);
        }
        return text.toString();
    }

    private static BadRequest bad(String found, String expected) {
        return new BadRequest(NAME, found + " (expected: " + expected + ")");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Of both, so that no two pairs run together into one. */
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
