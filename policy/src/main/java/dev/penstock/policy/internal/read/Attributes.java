package dev.penstock.policy.internal.read;

import dev.penstock.policy.internal.text.Unexpected;
import java.util.regex.Pattern;

/** What attributes can be called. */
final class Attributes {
    private static final Pattern NAME = Pattern.compile("[^\\s/\\[\\]{},]{1,128}");

    private Attributes() {}

    static String check(String name) throws Unexpected {
        if (!NAME.matcher(name).matches()) {
            throw new Unexpected("the name of an attribute, without spaces, slashes, commas and brackets");
        }
        return name;
    }
}
