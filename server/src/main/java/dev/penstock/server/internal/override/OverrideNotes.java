package dev.penstock.server.internal.override;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.penstock.spi.Key;
import dev.penstock.spi.SharedNotes.Note;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts overrides to notes and back. */
final class OverrideNotes {
    static final String SHADOW = "shadow";
    private static final String BLOCK = "block:";
    private static final JsonFactory JSON = new JsonFactory();

    private OverrideNotes() {}

    static Note ofShadow(String by, Instant now, Duration life) {
        return new Note(SHADOW, text(Map.of("by", by, "since", now.toString())), life);
    }

    static Note ofBlock(String policy, Key key, String by, Instant now, Duration life) {
        String values = Base64.getEncoder().encodeToString(key.bytes());
        return new Note(
                nameOf(key),
                text(Map.of(
                        "policy", policy, "counter", key.counter(), "key", values, "by", by, "since", now.toString())),
                life);
    }

    /** Returns a short name that is unique to the key. */
    static String nameOf(Key key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(key.counter().getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            return BLOCK + HexFormat.of().formatHex(digest.digest(key.bytes()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    static boolean isShadow(Note note) {
        return note.name().equals(SHADOW);
    }

    /**
     * Returns the block in a note, or null if the note is not a block or another version wrote it in an unknown form.
     */
    static @Nullable BlockedKey block(Note note, Instant now) {
        Map<String, String> words = note.name().startsWith(BLOCK) ? words(note.text()) : Map.of();
        String policy = words.get("policy");
        String counter = words.get("counter");
        String values = words.get("key");
        if (policy == null || counter == null || values == null) {
            return null;
        }
        try {
            Key key = Key.encoded(counter, Base64.getDecoder().decode(values));
            Instant since = Instant.parse(words.getOrDefault("since", now.toString()));
            return new BlockedKey(policy, key, words.getOrDefault("by", ""), since, now.plus(note.left()));
        } catch (IllegalArgumentException | DateTimeException e) {
            return null;
        }
    }

    private static String text(Map<String, String> words) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            for (Map.Entry<String, String> each : words.entrySet()) {
                json.writeStringField(each.getKey(), each.getValue());
            }
            json.writeEndObject();
        } catch (IOException e) { // writing to memory cannot fail
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static Map<String, String> words(String text) {
        Map<String, String> words = new HashMap<>();
        try (JsonParser json = JSON.createParser(text)) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.VALUE_STRING) {
                    words.put(json.currentName(), json.getText());
                }
            }
        } catch (IOException e) {
            return Map.of();
        }
        return words;
    }
}
