package dev.penstock.redis;

import dev.penstock.internal.Expect;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The address of Redis: one server, the Sentinels that know it, or nodes of a Cluster. Immutable. Its text form never
 * shows a password.
 *
 * @param kind how Redis is run
 * @param uris one URI, or one for each given node of a Cluster
 */
record RedisAddress(Kind kind, List<RedisURI> uris) {
    /** The ways in which Redis can be run. */
    enum Kind {
        /** One server, or the primary that Sentinels report. */
        SERVER,
        CLUSTER
    }

    private static final Set<String> SCHEMES =
            Set.of("redis", "rediss", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster");

    private static final int MOST_PORT = 65_535;

    /** Reads an address. A wrong address is rejected with the name of the part that is wrong. */
    static RedisAddress of(String text) {
        int after = Expect.text(text, "uri").indexOf("://");
        Expect.that(
                after > 0,
                "uri.scheme",
                "missing",
                "one of " + SCHEMES.stream().sorted().toList());
        String scheme = text.substring(0, after);
        Expect.that(
                SCHEMES.contains(scheme),
                "uri.scheme",
                scheme,
                "one of " + SCHEMES.stream().sorted().toList());
        boolean cluster = scheme.endsWith("-cluster");
        String plain = cluster ? scheme.substring(0, scheme.length() - "-cluster".length()) : scheme;
        List<RedisURI> uris = new ArrayList<>();
        for (String part : cluster ? nodes(text.substring(after + 3)) : List.of(text.substring(after + 3))) {
            check(part, scheme.contains("sentinel"));
            uris.add(create(plain + "://" + part));
        }
        return new RedisAddress(cluster ? Kind.CLUSTER : Kind.SERVER, List.copyOf(uris));
    }

    /** Returns the nodes, each with the user and password that come before the first one. */
    private static List<String> nodes(String text) {
        int at = text.lastIndexOf('@');
        String user = at < 0 ? "" : text.substring(0, at + 1);
        List<String> nodes = new ArrayList<>();
        for (String node : text.substring(at + 1).split(",", -1)) {
            nodes.add(user + node);
        }
        return nodes;
    }

    private static void check(String part, boolean sentinel) {
        String hosts = part.substring(part.lastIndexOf('@') + 1);
        Expect.that(hosts.indexOf('?') < 0, "uri.query", "given", "none; user and password come before the host");
        int end = hosts.length();
        for (char c : new char[] {'/', '?', '#'}) {
            int at = hosts.indexOf(c);
            end = at >= 0 ? Math.min(end, at) : end;
        }
        for (String host : hosts.substring(0, end).split(",", -1)) {
            int colon = host.lastIndexOf(':');
            boolean hasPort = colon >= 0 && host.indexOf(']', colon) < 0;
            String name = hasPort ? host.substring(0, colon) : host;
            Expect.that(!name.isEmpty(), "uri.host", "\"\"", "a host name or address");
            if (hasPort) {
                String port = host.substring(colon + 1);
                boolean fine = !port.isEmpty()
                        && port.length() <= 5
                        && port.chars().allMatch(Character::isDigit)
                        && Integer.parseInt(port) >= 1
                        && Integer.parseInt(port) <= MOST_PORT;
                boolean digits =
                        // a port that is not a number is not shown, because it may be a misplaced password
                        port.chars().allMatch(Character::isDigit);
                Expect.that(fine, "uri.port", digits ? port : "unreadable", "a number from 1 to " + MOST_PORT);
            }
        }
        String path = part.substring(part.length() - hosts.length() + end);
        if (path.startsWith("/")) {
            String database = path.substring(1).split("[?#]", 2)[0];
            boolean fine = database.isEmpty()
                    || (database.length() <= 4 && database.chars().allMatch(Character::isDigit));
            Expect.that(fine, "uri.database", database, "a number");
        }
        Expect.that(
                !sentinel || part.contains("#"), "uri.fragment", "missing", "the name of the primary, as in #mymaster");
    }

    private static RedisURI create(String uri) {
        try {
            return RedisURI.create(new URI(uri));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw Expect.refused(
                    "uri", "unreadable", "scheme://user:password@host:port/database with a percent-encoded password");
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (RedisURI uri : uris) {
            text.append(text.length() == 0 ? "" : ",");
            if (uri.getSentinels().isEmpty()) {
                text.append(uri.getHost()).append(':').append(uri.getPort());
            } else {
                text.append("sentinels of ").append(uri.getSentinelMasterId());
            }
        }
        return text.toString();
    }
}
