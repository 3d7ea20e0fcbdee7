package dev.penstock.policy;

import dev.penstock.Request;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.testkit.ManualClock;
import java.util.List;

/** Policies of a text and requests to them, for short tests. */
final class Sample {
    static final String HASH_KEY = "0123456789abcdef-a-key-of-tests";

    private final Policies policies;

    private Sample(Policies policies) {
        this.policies = policies;
    }

    /** Parses policies from these lines, after {@code version: 1}. */
    static Sample of(String... lines) throws PolicyErrors {
        return at(new ManualClock(), lines);
    }

    static Sample at(ManualClock clock, String... lines) throws PolicyErrors {
        return new Sample(Policies.loader()
                .clock(clock)
                .environment(name -> name.equals("PENSTOCK_HASH_KEY") ? HASH_KEY : null)
                .parse("test.yaml", "version: 1\n" + String.join("\n", lines) + "\n"));
    }

    Policies policies() {
        return policies;
    }

    /** Returns a request with these attributes: name, value, name, value. */
    static Request request(String... attributes) {
        Request request = Request.empty();
        for (int i = 0; i < attributes.length; i += 2) {
            request = request.with(attributes[i], attributes[i + 1]);
        }
        return request;
    }

    Ask ask(String... attributes) {
        return policies.match(request(attributes));
    }

    /** Returns the charges of the request, each as {@code counter [values] cost}, in order. */
    List<String> charges(String... attributes) {
        return charges(request(attributes));
    }

    List<String> charges(Request request) {
        return policies.match(request).charges().stream().map(Sample::text).toList();
    }

    static String text(Charge charge) {
        return charge.key().counter() + " " + charge.key().values() + " " + charge.cost();
    }

    /** Returns the names of the policies that charge the request, in order. */
    List<String> matching(String... attributes) {
        return ask(attributes).charges().stream()
                .map(charge -> charge.settings().policy())
                .distinct()
                .toList();
    }
}
