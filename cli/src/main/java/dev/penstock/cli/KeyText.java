package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Formats a key as its parts and values. */
final class KeyText {
    private KeyText() {}

    static String of(JsonNode parts, JsonNode values) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            String part = parts.path(i).asText();
            String value = values.get(i).isNull() ? "none" : values.get(i).asText();
            texts.add(part.isEmpty() ? value : part + "=" + value);
        }
        return texts.isEmpty() ? "everyone together" : String.join(" ", texts);
    }
}
