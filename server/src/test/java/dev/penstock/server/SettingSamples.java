package dev.penstock.server;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A value other than the default for every setting, and values that are refused. */
final class SettingSamples {
    static final String TOKEN = "a-token-for-tests-1";

    /** Setting, invalid text, and the expected error. */
    static final String BAD_VALUES = """
            port                       | 65536            | 65536 (expected: a number from 0 to 65535)
            port                       | http             | http (expected: a number from 0 to 65535)
            port                       | -1               | -1 (expected: a number from 0 to 65535)
            host                       | example.org      | example.org (expected: an address such as 127.0.0.1, 0.0.0.0 or ::1)
            redis                      | host:secret      | the given value (expected: an address such as redis://host:6379; uri.scheme: missing
            deadline                   | 0ms              | 0ms (expected: a time above 0)
            deadline                   | 1us              | 1us (expected: a time from 1ms to
            deadline                   | 10               | 10 (expected: a time such as 30s
            max_wait                   | 2m               | 2m (expected: a time from 1ms to 1m)
            remember_for               | 500ms            | 500ms (expected: a time from 1s to 1d)
            memory.max_keys            | 0                | 0 (expected: a number from 1 to 100000000)
            memory.when_full           | evict            | evict (expected: deny or allow or evict-oldest)
            outage.local_for           | 0s               | 0s (expected: a time from 1ms to 30d)
            outage.then                | close            | close (expected: open or closed or local; did you mean closed?)
            outage.max_keys            | 10000001         | 10000001 (expected: a number from 1 to 10000000)
            deny_cache.max_keys        | -1               | -1 (expected: a number from 1 to 100000000)
            leases.max_keys            | many             | many (expected: a number from 1 to 100000000)
            nodes                      | 0                | 0 (expected: a number from 1 to 10000)
            tokens_file                | nothing          | nothing (expected: a file that can be read)
            tls.certificate            | .                | . (expected: a file that can be read)
            admin.port                 | 1.5              | 1.5 (expected: a number from 0 to 65535)
            admin.host                 | 127.1            | 127.1 (expected: an address such as
            admin.audit_file           | .                | . (expected: a file, not a directory)
            address.header             | x-real-ip        | x-real-ip (expected: x-forwarded-for or forwarded)
            address.header             | x-forwarded-four | x-forwarded-four (expected: x-forwarded-for or forwarded; did you mean x-forwarded-for?)
            address.trusted_hops       | 33               | 33 (expected: a number from 0 to 32)
            address.trusted_proxies    | 10.0.0.1/8       | 10.0.0.1/8 (expected: the first address of a range, 10.0.0.0/8)
            address.trusted_proxies    | proxy            | proxy (expected: an address or a range such as
            headers.ratelimit          | yes              | yes (expected: true or false)
            headers.reset              | date             | date (expected: epoch or delta)
            headers.retry_after_jitter | 2h               | 2h (expected: whole seconds from 0 to 1h)
            headers.retry_after_jitter | 1500ms           | 1500ms (expected: whole seconds from 0 to 1h)
            redis_prefix               | a b              | a b (expected: 1 to 64 ASCII letters, digits and symbols, without spaces and braces)
            redis_prefix               | {p}              | {p} (expected: 1 to 64 ASCII letters, digits and symbols, without spaces and braces)
            redis_prefix               | staging          | given without redis (expected: redis as well)
            gate.denied_status         | 404              | 404 (expected: by-reason or 429 or 403)
            gate.request_headers       | forwarded        | forwarded (expected: x-forwarded or x-original
            gate.longest_delay         | 1m               | 1m (expected: a time from 0 to 30s)
            gate.attributes            | x-user           | x-user (expected: SOURCE=ATTRIBUTE, such as x-tenant=tenant, cookie:session=session)
            gate.attributes            | x user=user      | x user=user (expected: a header such as x-tenant
            gate.attributes            | x-user=a/b       | x-user=a/b (expected: the name of an attribute
            gate.attributes            | a=b,A=c          | A=c (expected: each name once)
            gate.attributes            | x-user=user,claim:x-jwt/sub=user | claim:x-jwt/sub=user (expected: each attribute once)
            envoy.count_denied         | true             | true (expected: false; true only with envoy.rules)
            envoy.headers              | field            | field (expected: off or numbers or fields; did you mean fields?)
            log.format                 | xml              | xml (expected: plain or json)
            region                     | eu 1             | eu 1 (expected: a name of 1 to 64 letters, digits, -, _ and .)
            decision_log.file          | .                | . (expected: a file, not a directory)
            decision_log.denied        | 100.0001         | 100.0001 (expected: a percentage from 0 to 100, such as 1 or 0.01)
            decision_log.allowed       | 1e2              | 1e2 (expected: a percentage from 0 to 100, such as 1 or 0.01)
            traces.otlp                | localhost:4318   | localhost:4318 (expected: an address such as http://localhost:4318)
            traces.otlp                | http://a b       | http://a b (expected: an address such as http://localhost:4318)
            traces.otlp                | http://u:p@host  | http://u:p@host (expected: an address such as http://localhost:4318)
            hot_keys.per_second        | 0                | 0 (expected: a number from 1 to 100000000)
            metrics.tenants            | -1               | -1 (expected: a number from 0 to 1000000)
            metrics.series             | 0                | 0 (expected: a number from 1 to 1000000)
            metrics.otlp.url           | localhost:4318   | the given value (expected: an address such as http://localhost:4318/v1/metrics, without a user or a query)
            metrics.otlp.url           | http://a:b@host/ | the given value (expected: an address such as http://localhost:4318/v1/metrics, without a user or a query)
            metrics.otlp.interval      | 100ms            | 100ms (expected: a time from 1s to 1h)
            """;

    private SettingSamples() {}

    /**
     * A value other than the default.
     *
     * @param text the text in flags and variables; DIR means the directory of the files
     * @param yaml the text in a file
     * @param shown the value as it is displayed
     * @param besides other flags that must be given with it
     */
    record Sample(String name, String text, String yaml, String shown, Map<String, List<String>> besides) {
        Sample(String name, String text) {
            this(name, text, text, text, Map.of());
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Sample> samples() {
        Map<String, List<String>> key = Map.of("tls.key", List.of("DIR/some.pem"));
        List<String> redis = List.of("redis://host");
        List<String> redisOverTls = List.of("rediss://host");
        List<String> pem = List.of("DIR/some.pem");
        return Stream.of(
                new Sample("policies", "DIR/a.yaml, DIR/b", "[a.yaml, b]", "DIR/a.yaml, DIR/b", Map.of()),
                new Sample("port", "9000"),
                new Sample("host", "::1", "\"::1\"", "::1", Map.of()),
                new Sample(
                        "redis",
                        "redis://me:pass@word@host:6379/1",
                        "redis://me:pass@word@host:6379/1",
                        "redis://me:hidden@host:6379/1",
                        Map.of()),
                new Sample(
                        "redis_password_file",
                        "DIR/one-token",
                        "one-token",
                        "DIR/one-token",
                        Map.of("redis", List.of("redis://host"))),
                new Sample("redis_prefix", "staging", "staging", "staging", Map.of("redis", redis)),
                new Sample("redis_tls.ca", "DIR/some.pem", "some.pem", "DIR/some.pem", Map.of("redis", redisOverTls)),
                new Sample(
                        "redis_tls.certificate",
                        "DIR/some.pem",
                        "some.pem",
                        "DIR/some.pem",
                        Map.of("redis", redisOverTls, "redis_tls.key", pem)),
                new Sample(
                        "redis_tls.key",
                        "DIR/some.pem",
                        "some.pem",
                        "DIR/some.pem",
                        Map.of("redis", redisOverTls, "redis_tls.certificate", pem)),
                new Sample("deadline", "25ms"),
                new Sample("nodes", "8"),
                new Sample("redis_new_keys", "500"),
                new Sample("max_wait", "2s"),
                new Sample("remember_for", "5m"),
                new Sample("memory.max_keys", "5000"),
                new Sample("memory.when_full", "deny"),
                new Sample("outage.local_for", "1m"),
                new Sample("outage.then", "closed"),
                new Sample("outage.max_keys", "2000"),
                new Sample("deny_cache.max_keys", "3000"),
                new Sample("leases.max_keys", "4000"),
                new Sample("tokens", TOKEN + ",another-token-of-16", "", "hidden, hidden", Map.of()),
                new Sample("tokens_file", "DIR/one-token", "one-token", "DIR/one-token", Map.of()),
                new Sample("hosts", "a.internal,b", "[a.internal, b]", "a.internal, b", Map.of()),
                new Sample("tls.certificate", "DIR/some.pem", "some.pem", "DIR/some.pem", key),
                new Sample(
                        "tls.key",
                        "DIR/some.pem",
                        "some.pem",
                        "DIR/some.pem",
                        Map.of("tls.certificate", List.of("DIR/some.pem"))),
                new Sample(
                        "tls.client_ca",
                        "DIR/some.pem",
                        "some.pem",
                        "DIR/some.pem",
                        Map.of("tls.certificate", List.of("DIR/some.pem"), "tls.key", List.of("DIR/some.pem"))),
                new Sample(
                        "tls.admin",
                        "true",
                        "true",
                        "true",
                        Map.of("tls.certificate", List.of("DIR/some.pem"), "tls.key", List.of("DIR/some.pem"))),
                new Sample("admin.port", "0"),
                new Sample("admin.host", "localhost"),
                new Sample("admin.token", TOKEN, "", "hidden", Map.of()),
                new Sample("admin.token_file", "DIR/one-token", "one-token", "DIR/one-token", Map.of()),
                new Sample("admin.read_tokens", TOKEN + ",another-token-of-16", "", "hidden, hidden", Map.of()),
                new Sample("admin.read_tokens_file", "DIR/named-tokens", "named-tokens", "DIR/named-tokens", Map.of()),
                new Sample("admin.audit_file", "DIR/a.jsonl", "a.jsonl", "DIR/a.jsonl", Map.of()),
                new Sample("metrics.port", "9100"),
                new Sample("metrics.host", "0.0.0.0", "0.0.0.0", "0.0.0.0", Map.of("metrics.port", List.of("9100"))),
                new Sample("metrics.tenants", "100"),
                new Sample("metrics.series", "2000"),
                new Sample("metrics.otlp.url", "http://localhost:4318/v1/metrics"),
                new Sample("metrics.otlp.interval", "10s"),
                new Sample("address.header", "forwarded"),
                new Sample("address.trusted_hops", "2"),
                new Sample(
                        "address.trusted_proxies",
                        "10.0.0.0/8,2001:db8::/32,192.0.2.1",
                        "[10.0.0.0/8, \"2001:db8::/32\", 192.0.2.1]",
                        "10.0.0.0/8, 2001:db8::/32, 192.0.2.1",
                        Map.of()),
                new Sample("headers.ratelimit", "false"),
                new Sample("headers.x_ratelimit", "false"),
                new Sample("headers.reset", "delta"),
                new Sample("headers.retry_after", "false"),
                new Sample("headers.retry_after_jitter", "5s"),
                new Sample("gate.denied_status", "403"),
                new Sample("gate.request_headers", "x-original"),
                new Sample(
                        "gate.attributes",
                        "X-Tenant=tenant,x-user=user",
                        "{ X-Tenant: tenant, x-user: user }",
                        "x-tenant=tenant, x-user=user",
                        Map.of()),
                new Sample("gate.longest_delay", "2s"),
                new Sample("envoy.rules", "DIR/a.yaml, DIR/b", "[a.yaml, b]", "DIR/a.yaml, DIR/b", Map.of()),
                new Sample("envoy.merge_domains", "true"),
                new Sample("envoy.count_denied", "true", "true", "true", Map.of("envoy.rules", List.of("DIR/a.yaml"))),
                new Sample("envoy.headers", "fields"),
                new Sample("envoy.metadata", "true"),
                new Sample("clients.connections", "500"),
                new Sample("clients.streams", "10"),
                new Sample("clients.waiting", "256"),
                new Sample("clients.body_bytes", "65536"),
                new Sample("clients.header_bytes", "8192"),
                new Sample("clients.buffer_bytes", "1000000"),
                new Sample("clients.slowest", "3s"),
                new Sample("clients.idle", "5m"),
                new Sample("permits.longest_hold", "10m"),
                new Sample("warm_up.target", "2ms"),
                new Sample("warm_up.at_most", "3s"),
                new Sample("drain.delay", "15s"),
                new Sample("drain.at_most", "30s"),
                new Sample("log.format", "json"),
                new Sample("region", "eu-1"),
                new Sample("decision_log.file", "DIR/log", "log", "DIR/log", Map.of()),
                new Sample("decision_log.denied", "12.5"),
                new Sample("decision_log.allowed", "0.0001"),
                new Sample("hot_keys.per_second", "50"),
                new Sample("traces.otlp", "http://localhost:4318"));
    }
}
