package dev.penstock.server.internal.admin;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AttributeKey;

/** The name of the operator who makes a call on the admin port. */
public final class Operator {
    /** The name of callers on this machine if no token is configured. */
    static final String LOOPBACK = "loopback";

    private static final AttributeKey<String> NAME = AttributeKey.valueOf(Operator.class, "NAME");

    private Operator() {}

    /** Records the name of the caller's token. */
    public static void note(ServiceRequestContext context, String name) {
        context.setAttr(NAME, name);
    }

    static String of(ServiceRequestContext context) {
        String name = context.attr(NAME);
        return name == null ? LOOPBACK : name;
    }
}
