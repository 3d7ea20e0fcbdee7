package dev.penstock.server.internal.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Reads one claim of the payload of a token: JSON, plain or in base64url. It verifies nothing. */
final class ClaimReader {
    /** Maximum length of the header. Longer ones are ignored. */
    static final int LONGEST = 8 << 10;

    static final int DEEPEST = 16;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxStringLength(LONGEST)
                    .maxNumberLength(64)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private ClaimReader() {}

    /**
     * Returns the claim if it is a text, a number, or true or false. Returns null if it is anything else or missing, or
     * if the payload is malformed, too long or too deep.
     */
    static @Nullable String claim(String payload, String name) {
        String text = payload.strip();
        if (text.length() > LONGEST) {
            return null;
        }
        try {
            return find(text.startsWith("{") ? text : decoded(text), name);
        } catch (IOException | IllegalArgumentException e) { // malformed, so the request has no such attribute
            return null;
        }
    }

    private static String decoded(String text) throws CharacterCodingException {
        String url = text.replace('+', '-').replace('/', '_');
        CharBuffer json = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(url)));
        return json.toString();
    }

    /** Reads to the end, so that a malformed rest is noticed. */
    private static @Nullable String find(String json, String name) throws IOException {
        String found = null;
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (field.equals(name) && value.isScalarValue() && value != JsonToken.VALUE_NULL) {
                    found = parser.getText();
                }
                parser.skipChildren();
            }
            return parser.nextToken() == null ? found : null;
        }
    }
}
