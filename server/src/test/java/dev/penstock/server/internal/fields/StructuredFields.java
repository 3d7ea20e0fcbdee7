package dev.penstock.server.internal.fields;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A strict reader of Structured Fields lists, written from section 4.2 of RFC 9651 and independent of our code. RFC
 * 9651 lets a later parameter override an earlier one with the same key; this reader refuses it.
 */
final class StructuredFields {
    /**
     * A bare item with its parameters: a String, Long, BigDecimal, Token, byte[], Boolean, Instant, DisplayString or
     * List.
     */
    record Item(Object value, Map<String, Object> parameters) {}

    record Token(String text) {}

    record DisplayString(String text) {}

    private final String input;
    private int at;

    private StructuredFields(String input) {
        this.input = input;
    }

    /** Returns the members of a list. */
    static List<Item> list(String input) {
        return new StructuredFields(input).list();
    }

    private List<Item> list() {
        List<Item> members = new ArrayList<>();
        skip(" ");
        while (!atEnd()) {
            members.add(itemOrInnerList());
            skip(" \t");
            if (atEnd()) {
                return members;
            }
            expect(',');
            skip(" \t");
            require(!atEnd(), "a member after the comma");
        }
        return members;
    }

    private Item itemOrInnerList() {
        return !atEnd() && peek() == '(' ? innerList() : item();
    }

    private Item innerList() {
        expect('(');
        List<Item> items = new ArrayList<>();
        while (true) {
            skip(" ");
            require(!atEnd(), "the end of an inner list");
            if (peek() == ')') {
                at++;
                return new Item(items, parameters());
            }
            items.add(item());
            require(!atEnd() && (peek() == ' ' || peek() == ')'), "a space or the end of an inner list");
        }
    }

    private Item item() {
        Object value = bareItem();
        return new Item(value, parameters());
    }

    private Map<String, Object> parameters() {
        Map<String, Object> parameters = new LinkedHashMap<>();
        while (!atEnd() && peek() == ';') {
            at++;
            skip(" ");
            String key = key();
            Object value = true;
            if (!atEnd() && peek() == '=') {
                at++;
                value = bareItem();
            }
            require(parameters.put(key, value) == null, "a key only once");
        }
        return parameters;
    }

    private String key() {
        require(!atEnd() && (isLower(peek()) || peek() == '*'), "a key");
        int from = at;
        while (!atEnd() && (isLower(peek()) || isDigit(peek()) || "_-.*".indexOf(peek()) >= 0)) {
            at++;
        }
        return input.substring(from, at);
    }

    private Object bareItem() {
        require(!atEnd(), "an item");
        char c = peek();
        if (c == '-' || isDigit(c)) {
            return number();
        }
        return switch (c) {
            case '"' -> string();
            case ':' -> bytes();
            case '?' -> bool();
            case '@' -> date();
            case '%' -> displayString();
            default -> token();
        };
    }

    private Object number() {
        int from = at;
        if (peek() == '-') {
            at++;
        }
        int whole = digits();
        require(whole > 0, "a digit");
        if (atEnd() || peek() != '.') {
            require(whole <= 15, "an integer of at most 15 digits");
            return Long.parseLong(input.substring(from, at));
        }
        at++;
        int fraction = digits();
        require(whole <= 12 && fraction >= 1 && fraction <= 3, "a decimal of at most 12 and 3 digits");
        return new BigDecimal(input.substring(from, at));
    }

    private int digits() {
        int from = at;
        while (!atEnd() && isDigit(peek())) {
            at++;
        }
        return at - from;
    }

    private String string() {
        expect('"');
        StringBuilder text = new StringBuilder();
        while (true) {
            require(!atEnd(), "the end of a string");
            char c = input.charAt(at++);
            if (c == '"') {
                return text.toString();
            }
            if (c == '\\') {
                require(!atEnd() && (peek() == '"' || peek() == '\\'), "a quote or a backslash after a backslash");
                c = input.charAt(at++);
            }
            require(c >= 0x20 && c <= 0x7e, "printable ASCII");
            text.append(c);
        }
    }

    private Token token() {
        char first = peek();
        require(isLetter(first) || first == '*', "an item");
        int from = at;
        while (!atEnd() && (isLetter(peek()) || isDigit(peek()) || "!#$%&'*+-.^_`|~:/".indexOf(peek()) >= 0)) {
            at++;
        }
        return new Token(input.substring(from, at));
    }

    private byte[] bytes() {
        expect(':');
        int end = input.indexOf(':', at);
        require(end >= 0, "the end of a byte sequence");
        byte[] bytes = Base64.getDecoder().decode(input.substring(at, end));
        at = end + 1;
        return bytes;
    }

    private Boolean bool() {
        expect('?');
        require(!atEnd() && (peek() == '0' || peek() == '1'), "0 or 1");
        return input.charAt(at++) == '1';
    }

    private Instant date() {
        expect('@');
        require(!atEnd() && (peek() == '-' || isDigit(peek())), "an integer");
        Object seconds = number();
        require(seconds instanceof Long, "an integer");
        return Instant.ofEpochSecond((Long) seconds);
    }

    private DisplayString displayString() {
        expect('%');
        expect('"');
        ByteBuffer bytes = ByteBuffer.allocate(input.length());
        while (true) {
            require(!atEnd(), "the end of a display string");
            char c = input.charAt(at++);
            require(c >= 0x20 && c <= 0x7e, "printable ASCII");
            if (c == '"') {
                try {
                    String text = StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(bytes.flip())
                            .toString();
                    return new DisplayString(text);
                } catch (CharacterCodingException e) {
                    throw new IllegalArgumentException(input + ": not UTF-8", e);
                }
            }
            if (c != '%') {
                bytes.put((byte) c);
                continue;
            }
            require(at + 2 <= input.length() && input.substring(at, at + 2).matches("[0-9a-f]{2}"), "two hex digits");
            bytes.put((byte) Integer.parseInt(input.substring(at, at + 2), 16));
            at += 2;
        }
    }

    private boolean atEnd() {
        return at >= input.length();
    }

    private char peek() {
        return input.charAt(at);
    }

    private void skip(String these) {
        while (!atEnd() && these.indexOf(peek()) >= 0) {
            at++;
        }
    }

    private void expect(char c) {
        require(!atEnd() && peek() == c, String.valueOf(c));
        at++;
    }

    private void require(boolean holds, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(input + " at " + at + " (expected: " + expected + ")");
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isLetter(char c) {
        return isLower(c) || (c >= 'A' && c <= 'Z');
    }
}
