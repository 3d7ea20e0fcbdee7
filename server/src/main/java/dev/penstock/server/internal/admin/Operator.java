package dev.penstock.server.internal.admin;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AttributeKey;

/** Who uses the admin port. */
public final class Operator {
    /** Whoever is on this machine, where no token is asked. */
    static final String LOOPBACK = "loopback";

    private static final AttributeKey<String> NAME = AttributeKey.valueOf(Operator.class, "NAME");

    private Operator() {}

    /** Notes whose token was shown. */
    public static void note(ServiceRequestContext context, String name) {
        context.setAttr(NAME, name);
    }

    static String of(ServiceRequestContext context) {
        String name = context.attr(NAME);
        return name == null ? LOOPBACK : name;
    }
}
