package dev.penstock.server;

import dev.penstock.internal.Expect;

/**
 * A token for the admin port.
 *
 * @param name the name of its owner, for the audit log; never the token itself
 */
public record AdminToken(String name, Role role, Secret secret) {
    /** The form of a valid name, for error messages. */
    public static final String NAME_EXPECTED = "a name of 1 to 64 letters, digits, -, _, ., : and @";

    /** The permissions of a token. */
    public enum Role {
        /** May read everything and change nothing. */
        READ,
        /** May read and change everything. */
        WRITE
    }

    public AdminToken {
        Expect.that(isName(Expect.present(name, "name")), "name", name, NAME_EXPECTED);
        Expect.present(role, "role");
        Expect.present(secret, "secret");
    }

    /** Returns true if the text can be the name of a token. */
    public static boolean isName(String text) {
        return text.matches("[A-Za-z0-9._:@-]{1,64}");
    }
}
