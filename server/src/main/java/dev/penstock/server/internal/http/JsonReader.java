package dev.penstock.server.internal.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.linecorp.armeria.common.HttpData;
import dev.penstock.internal.Expect;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a JSON body strictly: refuses unknown fields, wrong types, duplicates and extra content. For one use. */
public final class JsonReader implements AutoCloseable {
    private static final int LONGEST_TEXT = 8_192;
    private static final int DEEPEST = 8;
    private static final int LONGEST_NUMBER = 40;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(LONGEST_NUMBER)
                    .maxStringLength(1 << 20)
                    .build())
            .build();

    /** The parser's message if an object has a word twice. */
    private static final Pattern TWICE = Pattern.compile("Duplicate (?:field|Object property) ['\"](.{1,128})['\"]");

    /** Reads the value of one word of an object. */
    public interface WordReader {
        void read(String word, String path) throws BadRequest, IOException;
    }

    /** Reads a body. */
    public interface Body<T> {
        T read(JsonReader json) throws BadRequest, IOException;
    }

    private final JsonParser parser;

    private JsonReader(InputStream in) throws IOException {
        this.parser = FACTORY.createParser(in);
    }

    /** Reads a body. Nothing may follow its JSON value. */
    public static <T> T read(HttpData data, Body<T> body) throws BadRequest {
        try (JsonReader json = new JsonReader(data.toInputStream())) {
            json.next();
            T value = body.read(json);
            if (json.parser.nextToken() != null) {
                throw new BadRequest(null, "extra content after the JSON value (expected: nothing)");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw notRead(e);
        } catch (IOException e) {
            throw new BadRequest(null, "the body cannot be read");
        }
    }

    /** Rewrites the parser's message, which would name its classes and features. */
    private static BadRequest notRead(JsonProcessingException cause) {
        JsonLocation at = cause.getLocation();
        String place = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
        if (cause instanceof StreamConstraintsException) {
            return new BadRequest(
                    null,
                    "too deep or too long (expected: at most " + DEEPEST + " levels, numbers of " + LONGEST_NUMBER
                            + " digits, texts of " + LONGEST_TEXT + " characters)");
        }
        Matcher twice = TWICE.matcher(cause.getOriginalMessage());
        return twice.lookingAt()
                ? new BadRequest(twice.group(1), "twice" + place + " (expected: each word once)")
                : new BadRequest(null, "not JSON" + place);
    }

    private void next() throws IOException, BadRequest {
        if (parser.nextToken() == null) {
            throw new BadRequest(null, "nothing (expected: JSON)");
        }
    }

    boolean isArray() {
        return parser.currentToken() == JsonToken.START_ARRAY;
    }

    public boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    /** Reads each item of the array that begins here. Refuses any other value. */
    public void list(String path, int most, Body<?> item) throws IOException, BadRequest {
        if (!isArray()) {
            throw unexpected(path, "a list");
        }
        items(most, item);
    }

    /** Reads each item of the array that begins here. */
    void items(int most, Body<?> item) throws IOException, BadRequest {
        int count = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (++count > most) {
                throw new BadRequest(null, "more than " + most + " items (expected: at most " + most + ")");
            }
            item.read(this);
        }
    }

    /** Reads each word of the object that begins here. */
    public void object(@Nullable String path, WordReader words) throws IOException, BadRequest {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw unexpected(path, "an object");
        }
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String word = parser.currentName();
            parser.nextToken();
            words.read(word, path == null ? word : path + "." + word);
        }
    }

    public String text(String path) throws IOException, BadRequest {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw unexpected(path, "a text");
        }
        String text = parser.getText();
        if (text.length() > LONGEST_TEXT) {
            throw new BadRequest(path, text.length() + " characters (expected: at most " + LONGEST_TEXT + ")");
        }
        return text;
    }

    boolean flag(String path) throws BadRequest {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
            throw unexpected(path, "true or false");
        }
        return token == JsonToken.VALUE_TRUE;
    }

    /** Reads a whole number from 0 to {@code most}. As in JSON Schema, {@code 321.0} is a whole number too. */
    public long number(String path, long most) throws IOException, BadRequest {
        String expected = "a whole number from 0 to " + most;
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
            throw unexpected(path, expected);
        }
        String written = Expect.present(parser.getText(), "number");
        long number = wholeOrNegative(written);
        if (number < 0 || number > most) {
            throw new BadRequest(path, written + " (expected: " + expected + ")");
        }
        return number;
    }

    private static long wholeOrNegative(String written) {
        try {
            return new BigDecimal(written).longValueExact();
        } catch (ArithmeticException
                | NumberFormatException e) { // a fraction, too large, or an exponent beyond all bounds
            return -1;
        }
    }

    public BadRequest unknown(String path, String expected) {
        return new BadRequest(path, "unknown field (expected: " + expected + ")");
    }

    private BadRequest unexpected(@Nullable String path, String expected) {
        return new BadRequest(path, JsonKind.of(parser.currentToken()) + " (expected: " + expected + ")");
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
