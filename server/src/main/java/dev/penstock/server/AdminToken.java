package dev.penstock.server;

import dev.penstock.internal.Expect;

/**
 * What somebody shows who uses the admin port.
 *
 * @param name who that is, for the audit log; never the token itself
 */
public record AdminToken(String name, Role role, Secret secret) {
    /** What a name has to be. */
    public static final String NAME_EXPECTED = "a name of 1 to 64 letters, digits, -, _, ., : and @";

    /** What a token allows. */
    public enum Role {
        /** To look at everything, and to change nothing. */
        READ,
        /** Everything. */
        WRITE
    }

    public AdminToken {
        Expect.that(isName(Expect.present(name, "name")), "name", name, NAME_EXPECTED);
        Expect.present(role, "role");
        Expect.present(secret, "secret");
    }

    /** Whether somebody can be called so. */
    public static boolean isName(String text) {
        return text.matches("[A-Za-z0-9._:@-]{1,64}");
    }
}
