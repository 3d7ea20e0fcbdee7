package dev.penstock.demo;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** All clients of the simulation. Their traffic is designed for the policies in {@code policies.yaml}. */
final class SimulatedClients {
    private static final int ORDERS = 10_000;
    private static final int ACCOUNTS = 60;
    private static final int ATTACKING_ADDRESSES = 200;

    /** Below the limits of the policy {@code login}, which count an attempt while its password is checked. */
    private static final int PARALLEL_LOGINS = 4;

    /** The user who logs in on several devices at once, with the right password, while others attack. */
    static final String HONEST = "(honest login)";

    static final String ATTACKERS = "(attackers)";

    private SimulatedClients() {}

    /** Returns the clients, tenants first. */
    static List<SimulatedClient> callers() {
        return List.of(
                new SimulatedClient("acme", CallRate.daily(35, 0.5, 20), api("acme", 40)),
                new SimulatedClient("globex", CallRate.daily(8, 0.4, 50), api("globex", 12)),
                new SimulatedClient("initech", CallRate.daily(13, 0.5, 80), api("initech", 15)),
                new SimulatedClient("hooli", CallRate.daily(13, 0.4, 40), api("hooli", 8)),
                new SimulatedClient("umbrella", CallRate.daily(3, 0.3, 100), api("umbrella", 3)),
                new SimulatedClient("globex", CallRate.during(Incident.NOISY_NEIGHBOUR, 192), api("globex", 12)),
                new SimulatedClient("acme", CallRate.steady(1), exports("acme")),
                new SimulatedClient("umbrella", CallRate.during(Incident.EXPORT_RUSH, 4), exports("umbrella")),
                new SimulatedClient("(logins)", CallRate.daily(3, 0.5, 30), () -> {
                    int account = any(ACCOUNTS);
                    return login("user" + account, "10.1.0." + account);
                }),
                new SimulatedClient(HONEST, CallRate.during(Incident.MANY_ACCOUNTS, 2), () -> logins("grace")),
                new SimulatedClient(HONEST, CallRate.during(Incident.ONE_ACCOUNT, 2), () -> logins("grace")),
                new SimulatedClient(
                        ATTACKERS,
                        CallRate.during(Incident.MANY_ACCOUNTS, 30),
                        () -> login("leaked" + any(ORDERS), "198.51.100.66")),
                new SimulatedClient(
                        ATTACKERS,
                        CallRate.during(Incident.ONE_ACCOUNT, 30),
                        () -> login("alice", "203.0.113." + any(ATTACKING_ADDRESSES))),
                new SimulatedClient(
                        "(scanner)",
                        CallRate.during(Incident.SCANNER, 15),
                        () -> new Question(Map.of("route", "/admin.php", "method", "GET", "ip", "192.0.2.7"))),
                new SimulatedClient(
                        "(monitoring)",
                        CallRate.steady(1),
                        () -> new Question(Map.of("route", "/health", "method", "GET", "ip", "10.0.0.9"))));
    }

    /** Returns requests of a tenant's users, where users with lower numbers are more frequent. */
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

    private static Question logins(String user) {
        return new Question(
                Map.of("route", "/login", "method", "POST", "user", user, "ip", "10.2.0.1"), PARALLEL_LOGINS);
    }

    private static int any(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }
}
