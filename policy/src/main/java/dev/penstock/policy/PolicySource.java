package dev.penstock.policy;

import dev.penstock.internal.Expect;

/**
 * A text of policies.
 *
 * @param name the file's as it was given, or what errors are to call it
 */
public record PolicySource(String name, String text) {
    public PolicySource {
        Expect.text(name, "name");
        Expect.present(text, "text");
    }
}
