package dev.penstock.policy.internal.read;

import dev.penstock.policy.internal.text.Unexpected;
import java.util.regex.Pattern;

/** What attributes can be called. */
public final class Attributes {
    private static final Pattern NAME = Pattern.compile("[^\\s/\\[\\]{},]{1,128}");

    /** What a name has to be. */
    public static final String EXPECTED = "the name of an attribute, without spaces, slashes, commas and brackets";

    private Attributes() {}

    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    static String check(String name) throws Unexpected {
        if (!isName(name)) {
            throw new Unexpected(EXPECTED);
        }
        return name;
    }
}
