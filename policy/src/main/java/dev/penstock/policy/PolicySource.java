package dev.penstock.policy;

import dev.penstock.internal.Expect;

/**
 * The text of a policy file.
 *
 * @param name the file's name as it was given, or the name that errors use for the text
 */
public record PolicySource(String name, String text) {
    public PolicySource {
        Expect.text(name, "name");
        Expect.present(text, "text");
    }
}
