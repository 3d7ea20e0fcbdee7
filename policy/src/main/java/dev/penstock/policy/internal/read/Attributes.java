package dev.penstock.policy.internal.read;

import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.internal.select.Plans;
import dev.penstock.policy.text.Unexpected;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that conditions and keys can name.
 *
 * @param known the attributes with a meaning of their own and the declared ones; null if no file declares any, so that
 *     every name is accepted
 */
record Attributes(@Nullable Set<String> known) {
    private static final Set<String> BUILT_IN =
            Set.of(AttributeNames.ROUTE, AttributeNames.METHOD, AttributeNames.HOST, AttributeNames.IP, Plans.TENANT);

    /** Accepts every name. */
    static final Attributes ANY = new Attributes(null);

    static Attributes declared(Set<String> names) {
        Set<String> known = new LinkedHashSet<>(BUILT_IN);
        known.addAll(names);
        return new Attributes(known);
    }

    /** Checks only the form of a name. */
    static String name(String name) throws Unexpected {
        if (!AttributeNames.isName(name)) {
            throw new Unexpected(AttributeNames.EXPECTED);
        }
        return name;
    }

    String check(String name) throws Unexpected {
        name(name);
        if (known != null && !known.contains(name)) {
            throw new Unexpected("a declared attribute" + Texts.didYouMean(name, known));
        }
        return name;
    }
}
