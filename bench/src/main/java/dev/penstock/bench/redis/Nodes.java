package dev.penstock.bench.redis;

import dev.penstock.testkit.server.RedisServer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The servers of a turn on the loopback address: one server, or the primaries of a Cluster. */
record Nodes(List<Integer> ports) {
    private static final String HOST = "127.0.0.1:";

    Nodes {
        ports = List.copyOf(ports);
    }

    static Nodes of(List<RedisServer> servers) {
        return new Nodes(servers.stream().map(RedisServer::port).toList());
    }

    /** Parses the output of {@link #toString}. */
    static Nodes parse(String text) {
        return new Nodes(Arrays.stream(text.split(",")).map(Integer::valueOf).toList());
    }

    /** Returns the URI for a contender. */
    String uri() {
        String hosts = ports.stream().map(port -> HOST + port).collect(Collectors.joining(","));
        return (ports.size() == 1 ? "redis://" : "redis-cluster://") + hosts;
    }

    /** Returns the URI of each server. */
    List<String> eachUri() {
        return ports.stream().map(port -> "redis://" + HOST + port).toList();
    }

    @Override
    public String toString() {
        return ports.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
