package dev.penstock.bench.policy;

import dev.penstock.Request;
import dev.penstock.bench.load.Draw;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyErrors;
import java.util.List;

/**
 * A number of policies, and requests that match three of them: one that matches everything, one by its route, and one
 * by a value.
 *
 * <p>The other policies cycle through the kinds of {@link Kind}. The ones that a request matches are drawn among all of
 * their kind. Everything is the same in every JVM.
 *
 * @param tenants how many tenants have their own plan
 */
record PolicyMix(int policies, int tenants) {
    /** The number of limits that a request is charged to. */
    static final int CHARGES = 3;

    /** The number of tenant names in requests, known or unknown. */
    private static final int TENANT_NAMES = 10_000;

    /** The kinds of conditions by which policies differ. */
    private enum Kind {
        ROUTE,
        VALUE,
        ROUTE_AND_METHOD,
        HOST,
        DOMAIN,
        PREFIX,
        NETWORK;

        String match(int i) {
            return switch (this) {
                case ROUTE -> "{ route: \"" + resource(i) + "/{id}\" }";
                case VALUE -> "{ app: [" + app(i) + ", " + app(i) + "-beta] }";
                case ROUTE_AND_METHOD -> "{ route: " + resource(i) + "/**, method: [POST, PUT] }";
                case HOST -> "{ host: shop-" + i + ".example.com }";
                case DOMAIN -> "{ host: \"*.shop-" + i + ".example.com\" }";
                case PREFIX -> "{ api_key: { prefix: sk_" + i + "_ } }";
                case NETWORK ->
                    "{ ip: [10." + i / 256 + "." + i % 256 + ".0/24, \"2001:db8:" + Integer.toHexString(i)
                            + "::/48\"] }";
            };
        }
    }

    private static final List<Kind> KINDS = List.of(Kind.values());

    private static String resource(int i) {
        return "/v1/resource-" + i;
    }

    private static String app(int i) {
        return "app-" + i;
    }

    private static Kind kind(int i) {
        return KINDS.get(i % KINDS.size());
    }

    Policies load() {
        try {
            return Policies.parse("mix.yaml", yaml());
        } catch (PolicyErrors e) {
            throw new IllegalStateException("the benchmark's own policies", e);
        }
    }

    String yaml() {
        StringBuilder yaml = new StringBuilder("""
                version: 1
                plans:
                  free: { requests: 60/min }
                  team: { requests: 600/min }
                  enterprise: { requests: 6000/min, burst: 500 }
                default_plan: free
                policies:
                  - { name: all, limits: [ { key: [tenant], token_bucket: plan.requests } ] }
                """);
        for (int i = 0; i < policies - 1; i++) {
            yaml.append("  - { name: policy-").append(i);
            yaml.append(", match: ").append(kind(i).match(i));
            yaml.append(", limits: [ { key: [user], token_bucket: ")
                    .append(100 + i)
                    .append("/min } ] }\n");
        }
        if (tenants > 0) {
            yaml.append("tenants:\n");
        }
        for (int i = 0; i < tenants; i++) {
            yaml.append("  ").append(tenant(i)).append(": ").append(plan(i)).append('\n');
        }
        return yaml.toString();
    }

    private static String tenant(int i) {
        return "tenant-" + i;
    }

    /** Returns a tenant's plan. One tenant in ten has its own numbers, and one in a hundred has them temporarily. */
    private static String plan(int i) {
        if (i % 100 == 0) {
            return "{ plan: team, overrides: { requests: " + (1_000 + i) + "/min }, until: 2999-12-31 }";
        }
        if (i % 10 == 0) {
            return "{ plan: free, overrides: { requests: " + (1_000 + i) + "/min } }";
        }
        return i % 3 == 0 ? "team" : i % 3 == 1 ? "free" : "enterprise";
    }

    Request request(Draw draw) {
        return Request.of("user", "user-" + draw.below(100_000))
                .with("tenant", tenant(draw.below(TENANT_NAMES)))
                .with("app", app(one(Kind.VALUE, draw)))
                .with("route", resource(one(Kind.ROUTE, draw)) + "/" + draw.below(100_000))
                .with("method", "GET")
                .with("host", "api.example.com")
                .with("api_key", "sk_test_" + draw.below(100_000))
                .with("ip", "192.0.2." + draw.below(256));
    }

    /** Returns the number of a random policy of this kind. */
    private int one(Kind kind, Draw draw) {
        int first = KINDS.indexOf(kind);
        int ofKind = (policies - 2 - first) / KINDS.size() + 1;
        return draw.below(ofKind) * KINDS.size() + first;
    }
}
