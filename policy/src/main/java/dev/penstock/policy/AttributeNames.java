package dev.penstock.policy;

import java.util.regex.Pattern;

/** The names of request attributes: those with a special meaning in policies, and the form of all others. */
public final class AttributeNames {
    /** The request path, which route patterns match. */
    public static final String ROUTE = "route";

    /** The request method. Case is ignored. */
    public static final String METHOD = "method";

    /** The host name that the client asked for. The port and the case are ignored. */
    public static final String HOST = "host";

    /** The client's address. The port and the zone are ignored. */
    public static final String IP = "ip";

    /** Describes a valid name in an error message. */
    public static final String EXPECTED = "the name of an attribute, without spaces, slashes, commas and brackets";

    private static final Pattern NAME = Pattern.compile("[^\\s/\\[\\]{},]{1,128}");

    private AttributeNames() {}

    /** Returns true if an attribute can have this name. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }
}
