package dev.penstock.server.internal.envoy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UInt64Value;
import com.linecorp.armeria.common.HttpData;
import dev.penstock.server.internal.http.JsonKind;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link RateLimitRequest} in protobuf's JSON mapping: names in camelCase or with underscores, numbers
 * optionally as strings, units by name or number, null for a missing value. Otherwise strict: refuses unknown fields,
 * wrong types, duplicates and extra content. For one use.
 */
final class RequestJson {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(8)
                    .maxNumberLength(40)
                    .maxStringLength(1 << 20)
                    .build())
            .build();

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,40}(\\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?");
    private static final BigInteger MOST_32 = BigInteger.ONE.shiftLeft(32).subtract(BigInteger.ONE);
    private static final BigInteger MOST_64 = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    private final JsonParser parser;

    private RequestJson(JsonParser parser) {
        this.parser = parser;
    }

    static RateLimitRequest read(HttpData body) {
        try (JsonParser parser = FACTORY.createParser(body.toInputStream())) {
            return new RequestJson(parser).request();
        } catch (IOException e) {
            throw new RefusedRequest(null, "the body cannot be read");
        }
    }

    private RateLimitRequest request() throws IOException {
        RateLimitRequest.Builder request = RateLimitRequest.newBuilder();
        try {
            if (parser.nextToken() == null) {
                throw new RefusedRequest(null, "nothing (expected: JSON)");
            }
            read(null, request);
            if (parser.nextToken() != null) {
                throw new RefusedRequest(null, "extra content after the JSON value (expected: nothing)");
            }
        } catch (StreamConstraintsException e) {
            throw new RefusedRequest(null, "a number, text or word that is too long, at " + place());
        } catch (JsonProcessingException e) {
            throw new RefusedRequest(null, "not JSON at " + place());
        }
        return request.build();
    }

    private String place() {
        JsonLocation at = parser.currentLocation();
        return "line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    /** Reads the object that begins here. Its message types bound the depth. */
    private void read(@Nullable String path, Message.Builder into) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw unexpected(path, "an object");
        }
        Descriptor type = into.getDescriptorForType();
        Set<FieldDescriptor> read = new HashSet<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String word = parser.currentName();
            FieldDescriptor field = field(type, word);
            if (field == null) {
                throw RefusedRequest.of(
                        path(path, word),
                        "unknown field",
                        names(type.getFields().stream().map(FieldDescriptor::getName)));
            }
            String place = path(path, field.getName());
            if (!read.add(field)) {
                throw RefusedRequest.of(place, "given twice", "once");
            }
            if (parser.nextToken() == JsonToken.VALUE_NULL) {
                continue;
            }
            if (field.isRepeated()) {
                addItems(place, field, into);
            } else {
                into.setField(field, value(place, field, into));
            }
        }
    }

    private static String path(@Nullable String path, String word) {
        return path == null ? word : path + "." + word;
    }

    private static @Nullable FieldDescriptor field(Descriptor type, String word) {
        for (FieldDescriptor field : type.getFields()) {
            if (field.getJsonName().equals(word) || field.getName().equals(word)) {
                return field;
            }
        }
        return null;
    }

    private void addItems(String path, FieldDescriptor field, Message.Builder into) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw unexpected(path, "a list");
        }
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            into.addRepeatedField(field, value(path + "[" + i + "]", field, into));
        }
    }

    private Object value(String path, FieldDescriptor field, Message.Builder into) throws IOException {
        return switch (field.getType()) {
            case STRING -> text(path);
            case UINT32 -> (int) number(path, MOST_32);
            case UINT64 -> number(path, MOST_64);
            case ENUM -> word(path, field);
            case MESSAGE -> message(path, field, into);
            default -> throw new IllegalStateException("unsupported type: " + field);
        };
    }

    private Message message(String path, FieldDescriptor field, Message.Builder into) throws IOException {
        if (field.getMessageType().equals(UInt64Value.getDescriptor())) {
            return UInt64Value.of(number(path, MOST_64));
        }
        Message.Builder message = into.newBuilderForField(field);
        read(path, message);
        return message.build();
    }

    private String text(String path) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw unexpected(path, "a text");
        }
        return parser.getText();
    }

    private EnumValueDescriptor word(String path, FieldDescriptor field) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            return field.getEnumType()
                    .findValueByNumberCreatingIfUnknown((int) number(path, BigInteger.valueOf(Integer.MAX_VALUE)));
        }
        EnumValueDescriptor known = field.getEnumType().findValueByName(parser.getText());
        if (known == null) {
            throw RefusedRequest.of(
                    path,
                    "unknown unit",
                    names(field.getEnumType().getValues().stream().map(EnumValueDescriptor::getName)));
        }
        return known;
    }

    /** Reads a whole number in any notation. A number of more than 63 bits is returned as an unsigned long. */
    private long number(String path, BigInteger most) throws IOException {
        String expected = "a whole number from 0 to " + most;
        boolean isText = parser.currentToken() == JsonToken.VALUE_STRING;
        if (!isText
                && parser.currentToken() != JsonToken.VALUE_NUMBER_INT
                && parser.currentToken() != JsonToken.VALUE_NUMBER_FLOAT) {
            throw unexpected(path, expected);
        }
        String written = parser.getText();
        if (!NUMBER.matcher(written).matches()) { // a large exponent would make it slow to compute
            throw isText ? unexpected(path, expected) : RefusedRequest.of(path, written, expected);
        }
        BigDecimal number = new BigDecimal(written).stripTrailingZeros();
        if (number.signum() < 0 || number.scale() > 0 || number.compareTo(new BigDecimal(most)) > 0) {
            throw RefusedRequest.of(path, written, expected);
        }
        return number.longValue();
    }

    private static String names(Stream<String> all) {
        return all.collect(Collectors.joining(", "));
    }

    private RefusedRequest unexpected(@Nullable String path, String expected) {
        return RefusedRequest.of(path, JsonKind.of(parser.currentToken()), expected);
    }
}
