package dev.penstock.policy.internal.read;

import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.internal.text.Unexpected;

/** Checks the names of attributes in policy files. */
final class Attributes {
    private Attributes() {}

    static String check(String name) throws Unexpected {
        if (!AttributeNames.isName(name)) {
            throw new Unexpected(AttributeNames.EXPECTED);
        }
        return name;
    }
}
