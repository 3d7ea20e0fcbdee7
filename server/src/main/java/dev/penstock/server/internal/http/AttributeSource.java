package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.Cookie;
import com.linecorp.armeria.common.RequestHeaders;
import dev.penstock.policy.text.Unexpected;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A part of a request from which a gateway's call takes the value of an attribute. Immutable. */
public sealed interface AttributeSource {
    /** Describes a source in an error message. */
    String EXPECTED = "a header such as x-tenant, a cookie such as cookie:session, or a claim such as"
            + " claim:x-jwt-payload/sub";

    String COOKIE = "cookie:";
    String CLAIM = "claim:";

    /** Headers whose values come from clients, and which no gateway verifies before it calls Penstock. */
    Set<String> UNVERIFIED = Set.of("authorization", "proxy-authorization", "cookie");

    Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
    Pattern CLAIM_NAME = Pattern.compile("[^\\s,=\"]{1,256}");

    /** Returns the value, or null if the request has none. */
    @Nullable
    String value(RequestHeaders headers);

    /** The first value of a header. */
    record OfHeader(String name) implements AttributeSource {
        @Override
        public @Nullable String value(RequestHeaders headers) {
            return headers.get(name);
        }
    }

    /** The first cookie of the name. */
    record OfCookie(String name) implements AttributeSource {
        @Override
        public @Nullable String value(RequestHeaders headers) {
            for (Cookie cookie : headers.cookies()) {
                if (cookie.name().equals(name)) {
                    return cookie.value();
                }
            }
            return null;
        }
    }

    /**
     * A claim of a token that the gateway has verified. The header contains the payload of the token, never the token.
     * It must occur once: if there are two, one of them may be the client's.
     */
    record OfClaim(String header, String claim) implements AttributeSource {
        @Override
        public @Nullable String value(RequestHeaders headers) {
            List<String> values = headers.getAll(header);
            return values.size() == 1 ? ClaimReader.claim(values.get(0), claim) : null;
        }
    }

    /** Parses a source as it is written in {@code gate.attributes}. */
    static AttributeSource parse(String text) throws Unexpected {
        if (text.startsWith(COOKIE)) {
            return new OfCookie(token(text.substring(COOKIE.length())));
        }
        if (!text.startsWith(CLAIM)) {
            return new OfHeader(token(text).toLowerCase(Locale.ROOT));
        }
        int slash = text.indexOf('/');
        String header =
                slash < 0 ? "" : token(text.substring(CLAIM.length(), slash)).toLowerCase(Locale.ROOT);
        String claim = text.substring(slash + 1);
        if (slash < 0 || !CLAIM_NAME.matcher(claim).matches()) {
            throw new Unexpected(EXPECTED);
        }
        if (UNVERIFIED.contains(header)) {
            throw new Unexpected("a header that the gateway sets after it has verified the token, not " + header
                    + ", which contains what the client sent");
        }
        return new OfClaim(header, claim);
    }

    private static String token(String text) throws Unexpected {
        if (!TOKEN.matcher(text).matches()) {
            throw new Unexpected(EXPECTED);
        }
        return text;
    }

    /** Returns the normal spelling, which is the same for equal sources. */
    default String text() {
        if (this instanceof OfCookie cookie) {
            return COOKIE + cookie.name;
        }
        return this instanceof OfClaim claim ? CLAIM + claim.header + "/" + claim.claim : ((OfHeader) this).name;
    }
}
