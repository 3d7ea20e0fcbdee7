package dev.penstock.demo;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** All who ask in the world: what they do is seen best with the policies of {@code policies.yaml}. */
final class Cast {
    private static final int ORDERS = 10_000;
    private static final int ACCOUNTS = 60;
    private static final int ATTACKING_ADDRESSES = 200;

    private Cast() {}

    /** The tenants first. */
    static List<Caller> callers() {
        return List.of(
                new Caller("acme", Rate.daily(35, 0.5, 20), api("acme", 40)),
                new Caller("globex", Rate.daily(8, 0.4, 50), api("globex", 12)),
                new Caller("initech", Rate.daily(13, 0.5, 80), api("initech", 15)),
                new Caller("hooli", Rate.daily(13, 0.4, 40), api("hooli", 8)),
                new Caller("umbrella", Rate.daily(3, 0.3, 100), api("umbrella", 3)),
                new Caller("globex", Rate.during(Act.NOISY_NEIGHBOUR, 192), api("globex", 12)),
                new Caller("acme", Rate.steady(1), exports("acme")),
                new Caller("umbrella", Rate.during(Act.EXPORT_RUSH, 4), exports("umbrella")),
                new Caller("(logins)", Rate.daily(3, 0.5, 30), () -> {
                    int account = any(ACCOUNTS);
                    return login("user" + account, "10.1.0." + account);
                }),
                new Caller(
                        "(attackers)",
                        Rate.during(Act.MANY_ACCOUNTS, 30),
                        () -> login("leaked" + any(ORDERS), "198.51.100.66")),
                new Caller(
                        "(attackers)",
                        Rate.during(Act.ONE_ACCOUNT, 30),
                        () -> login("alice", "203.0.113." + any(ATTACKING_ADDRESSES))),
                new Caller(
                        "(scanner)",
                        Rate.during(Act.SCANNER, 15),
                        () -> new Question(Map.of("route", "/admin.php", "method", "GET", "ip", "192.0.2.7"))),
                new Caller(
                        "(monitoring)",
                        Rate.steady(1),
                        () -> new Question(Map.of("route", "/health", "method", "GET", "ip", "10.0.0.9"))));
    }

    /** Users of a tenant, of whom the first ask most. */
    private static Supplier<Question> api(String tenant, int users) {
        return () -> {
            String user = tenant + "-" + Math.min(any(users), any(users));
            return switch (any(4)) {
                case 0 -> question(tenant, user, "POST", "/api/orders");
                case 1 -> question(tenant, user, "GET", "/api/search");
                default -> question(tenant, user, "GET", "/api/orders/" + any(ORDERS));
            };
        };
    }

    private static Supplier<Question> exports(String tenant) {
        return () -> question(tenant, tenant + "-reports", "POST", "/api/exports");
    }

    private static Question question(String tenant, String user, String method, String route) {
        return new Question(Map.of("tenant", tenant, "user", user, "method", method, "route", route));
    }

    private static Question login(String user, String ip) {
        return new Question(Map.of("route", "/login", "method", "POST", "user", user, "ip", ip));
    }

    private static int any(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }
}
