package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.internal.settings.Setting;
import dev.penstock.server.internal.settings.SettingTable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsReaderTest {
    private static final String TOKEN = "a-token-for-tests-1";

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, List<String>> flags = new HashMap<>();
    private Path config = Path.of("");

    @BeforeEach
    void files() throws IOException {
        config = directory.resolve("penstock.yaml");
        Files.writeString(directory.resolve("one-token"), TOKEN + "\n");
        Files.writeString(directory.resolve("named-tokens"), "ann the-token-of-ann\nthe-token-of-whoever\n");
        Files.writeString(directory.resolve("bad-names"), "ann the-token-of-ann\na/b the-token-of-whoever\n");
        Files.writeString(directory.resolve("some.pem"), "");
    }

    private SettingsInForce read() throws SettingErrors {
        SettingsReader reader = SettingsReader.of(environment).flags(flags);
        return Files.exists(config) ? reader.config(config).read() : reader.read();
    }

    private List<String> errors() {
        SettingErrors thrown = catchThrowableOfType(SettingErrors.class, this::read);
        assertThat(thrown).as("should have been refused").isNotNull();
        return thrown.errors().stream()
                .map(error -> error.toString().replace(directory + "/", ""))
                .toList();
    }

    private void givenPolicies() {
        flags.put("policies", List.of("policies.yaml"));
    }

    private void config(String... lines) throws IOException {
        Files.writeString(config, String.join("\n", lines) + "\n");
    }

    private static SettingsInForce.Entry entry(SettingsInForce read, String name) {
        return read.entries().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /**
     * A setting that is not at its default.
     *
     * @param text in flags and variables; DIR stands for the directory of the files
     * @param yaml in a file
     * @param shown afterwards
     * @param besides flags that have to come with it
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
                new Sample("deadline", "25ms"),
                new Sample("nodes", "8"),
                new Sample("redis_new_keys", "500"),
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
                new Sample("gate.told_by", "x-original"),
                new Sample(
                        "gate.attributes",
                        "X-Tenant=tenant,x-user=user",
                        "{ X-Tenant: tenant, x-user: user }",
                        "x-tenant=tenant, x-user=user",
                        Map.of()),
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

    @Test
    void samples_areOfEverySetting() {
        assertThat(samples().map(Sample::name))
                .containsExactlyElementsOf(
                        SettingTable.settings().stream().map(Setting::name).toList());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void everySetting_isTakenFromEachSource_theStrongestFirst(Sample sample) throws Exception {
        Setting<?> setting = SettingTable.settings().stream()
                .filter(each -> each.name().equals(sample.name()))
                .findFirst()
                .orElseThrow();
        givenPolicies();
        sample.besides().forEach((name, texts) -> flags.put(name, List.of(placed(texts.get(0)))));
        flags.remove(sample.name());
        if (!sample.name().equals("policies")) {
            assertThat(entry(read(sample), sample.name()))
                    .isEqualTo(new SettingsInForce.Entry(sample.name(), setting.shownDefault(), "default"));
        }

        environment.put(setting.variable(), placed(sample.text()));
        assertThat(entry(read(), sample.name()))
                .isEqualTo(new SettingsInForce.Entry(sample.name(), placed(sample.shown()), setting.variable()));

        if (setting.isSecret()) {
            return;
        }
        int depth = sample.name().split("[.]", -1).length - 1;
        config("# settings", sample.name().replace(".", ": { ") + ": " + sample.yaml() + " }".repeat(depth));
        assertThat(entry(read(), sample.name()))
                .isEqualTo(new SettingsInForce.Entry(sample.name(), placed(sample.shown()), config + ":2"));

        flags.put(sample.name(), List.of(placed(sample.text())));
        assertThat(entry(read(), sample.name()))
                .isEqualTo(new SettingsInForce.Entry(sample.name(), placed(sample.shown()), setting.flag()));
    }

    /** Without what has to come with it, where that would be refused by itself. */
    private SettingsInForce read(Sample sample) throws SettingErrors {
        Map<String, List<String>> alone = new HashMap<>(flags);
        sample.besides().keySet().forEach(alone::remove);
        return SettingsReader.of(environment).flags(alone).read();
    }

    private String placed(String text) {
        return text.replace("DIR", directory.toString());
    }

    @Test
    void nothingGiven_isTheDefaultOfTheServer() throws Exception {
        Path policies = Path.of("policies.yaml");

        SettingsInForce read = SettingsReader.of(Map.of())
                .flags(Map.of("policies", List.of("policies.yaml")))
                .read();

        assertThat(read.settings()).isEqualTo(ServerSettings.of(policies));
    }

    @Test
    void everythingGiven_arrives() throws Exception {
        config(
                "policies: [a.yaml]",
                "port: 0",
                "host: 127.0.0.1",
                "redis: redis://host",
                "redis_password_file: one-token",
                "deadline: 20ms",
                "nodes: 3",
                "redis_new_keys: 400",
                "tokens_file: one-token",
                "hosts: [penstock.internal]",
                "tls: { certificate: some.pem, key: some.pem, client_ca: some.pem, admin: true }",
                "admin: { port: 1, host: 0.0.0.0, token_file: named-tokens, read_tokens_file: one-token, audit_file: a.jsonl }",
                "address: { header: forwarded, trusted_hops: 1 }",
                "headers: { ratelimit: false, x_ratelimit: false, reset: delta, retry_after: false, retry_after_jitter: 1s }",
                "gate: { denied_status: 403, told_by: x-original, attributes: { X-User: user } }",
                "envoy: { rules: [b], merge_domains: true, count_denied: true, headers: numbers, metadata: true }",
                "metrics: { port: 2, host: 0.0.0.0, tenants: 50, series: 2000,",
                "  otlp: { url: 'http://localhost:4318/v1/metrics', interval: 30s } }",
                "clients: { connections: 1, streams: 2, waiting: 7, body_bytes: 3, header_bytes: 4096, buffer_bytes: 8,",
                "  slowest: 5s, idle: 6s }",
                "permits: { longest_hold: 3m }",
                "warm_up: { target: 9ms, at_most: 0s }",
                "drain: { delay: 7s, at_most: 8s }",
                "log: { format: json }",
                "region: eu-1",
                "decision_log: { file: decisions.jsonl, denied: 50, allowed: 0.25 }",
                "hot_keys: { per_second: 9 }",
                "traces: { otlp: https://collector/v1/traces }");
        Path pem = directory.resolve("some.pem");
        Secret token = new Secret(TOKEN);

        assertThat(read().settings())
                .isEqualTo(new ServerSettings(
                        new ListenAddress("127.0.0.1", 0),
                        new AdminSettings(
                                new ListenAddress("0.0.0.0", 1),
                                List.of(
                                        new AdminToken("ann", AdminToken.Role.WRITE, new Secret("the-token-of-ann")),
                                        new AdminToken(
                                                "admin.token_file:2",
                                                AdminToken.Role.WRITE,
                                                new Secret("the-token-of-whoever")),
                                        new AdminToken("admin.read_tokens_file:1", AdminToken.Role.READ, token)),
                                directory.resolve("a.jsonl"),
                                new ListenAddress("0.0.0.0", 2)),
                        List.of(directory.resolve("a.yaml")),
                        new RedisUri("redis://:" + TOKEN + "@host"),
                        List.of(token),
                        List.of("penstock.internal"),
                        new TlsSettings(pem, pem, pem, TlsSettings.Ports.MAIN_AND_ADMIN),
                        new AddressSettings(AddressSettings.Header.FORWARDED, 1, List.of()),
                        new HeaderSettings(false, false, HeaderSettings.Reset.DELTA, false, Duration.ofSeconds(1)),
                        new GateSettings(403, GateSettings.ToldBy.X_ORIGINAL, Map.of("x-user", "user")),
                        new EnvoySettings(
                                List.of(directory.resolve("b")),
                                SameDomain.MERGED,
                                true,
                                EnvoySettings.Headers.NUMBERS,
                                true),
                        3,
                        400,
                        Duration.ofMillis(20),
                        LogFormat.JSON,
                        new ClientSettings(1, 2, 7, 3, 4096, 8, Duration.ofSeconds(5), Duration.ofSeconds(6)),
                        new PermitSettings(Duration.ofMinutes(3)),
                        new WarmUpSettings(Duration.ofMillis(9), Duration.ZERO),
                        new DrainSettings(Duration.ofSeconds(7), Duration.ofSeconds(8)),
                        new ObserveSettings(
                                "eu-1",
                                directory.resolve("decisions.jsonl"),
                                500_000,
                                2_500,
                                9,
                                new MetricSettings(
                                        50,
                                        2_000,
                                        new OtlpSettings(
                                                URI.create("http://localhost:4318/v1/metrics"),
                                                Duration.ofSeconds(30))),
                                URI.create("https://collector/v1/traces"),
                                true)));
    }

    @Test
    void namesOfTokens_haveToBeNames_andTheirLinesAreNotShown() {
        givenPolicies();
        flags.put("admin.token_file", List.of(directory.resolve("bad-names").toString()));

        assertThat(errors())
                .singleElement()
                .asString()
                .contains("(expected: in line 2 a name of 1 to 64 letters")
                .doesNotContain("the-token-of");
    }

    @Test
    void tokenInBothRoles_isRefused() throws Exception {
        givenPolicies();
        environment.put("PENSTOCK_ADMIN_TOKEN", TOKEN);
        environment.put("PENSTOCK_ADMIN_READ_TOKENS", TOKEN);

        assertThat(errors())
                .containsExactly("PENSTOCK_ADMIN_READ_TOKENS: a token twice (expected: each token once, in one role)");
    }

    @Test
    void auditFile_canBeTurnedOff() throws Exception {
        givenPolicies();
        assertThat(read().settings().admin().audit()).isEqualTo(AdminSettings.USUAL_AUDIT);
        environment.put("PENSTOCK_ADMIN_AUDIT_FILE", "off");
        assertThat(read().settings().admin().audit()).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            port                       | 65536            | 65536 (expected: a number from 0 to 65535)
            port                       | http             | http (expected: a number from 0 to 65535)
            port                       | -1               | -1 (expected: a number from 0 to 65535)
            host                       | example.org      | example.org (expected: an address such as 127.0.0.1, 0.0.0.0 or ::1)
            redis                      | host:secret      | what is given (expected: an address such as redis://host:6379; uri.scheme: missing
            deadline                   | 0ms              | 0ms (expected: a time above 0)
            deadline                   | 1us              | 1us (expected: a time from 1ms to
            deadline                   | 10               | 10 (expected: a time such as 30s
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
            gate.denied_status         | 404              | 404 (expected: 429 or 403)
            gate.told_by               | forwarded        | forwarded (expected: x-forwarded or x-original
            gate.attributes            | x-user           | x-user (expected: HEADER=ATTRIBUTE, such as x-tenant=tenant)
            gate.attributes            | x user=user      | x user=user (expected: HEADER=ATTRIBUTE
            gate.attributes            | x-user=a/b       | x-user=a/b (expected: the name of an attribute
            gate.attributes            | a=b,A=c          | A=c (expected: each once)
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
            metrics.otlp.url           | localhost:4318   | what is given (expected: an address such as http://localhost:4318/v1/metrics, without a user or a query)
            metrics.otlp.url           | http://a:b@host/ | what is given (expected: an address such as http://localhost:4318/v1/metrics, without a user or a query)
            metrics.otlp.interval      | 100ms            | 100ms (expected: a time from 1s to 1h)
            """)
    void badValue_isNamedWithItsSourceAndWhatWasExpected(String name, String text, String problem) throws Exception {
        givenPolicies();
        Setting<?> setting = SettingTable.settings().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();

        flags.put(name, List.of(text));
        assertThat(errors()).singleElement().asString().startsWith(setting.flag() + ": " + problem);
        flags.remove(name);

        environment.put(setting.variable(), text);
        assertThat(errors()).singleElement().asString().startsWith(setting.variable() + ": " + problem);
    }

    @Test
    void redisPassword_comesFromAFile_andIsNeverShown() throws Exception {
        givenPolicies();
        Path file = Files.writeString(directory.resolve("password"), "p@ss/word +%\n");
        flags.put("redis", List.of("rediss://app:@redis.internal:6380/2"));
        flags.put("redis_password_file", List.of(file.toString()));

        SettingsInForce read = read();

        assertThat(read.settings().redis())
                .isEqualTo(new RedisUri("rediss://app:p%40ss%2Fword%20%2B%25@redis.internal:6380/2"));
        assertThat(read.entries().toString()).doesNotContain("ss/word").doesNotContain("%2Fword");
        flags.put("redis", List.of("redis://redis.internal"));
        assertThat(read().settings().redis()).isEqualTo(new RedisUri("redis://:p%40ss%2Fword%20%2B%25@redis.internal"));
    }

    @Test
    void redisPasswordTwice_orOfNoRedis_orInNoFile_isRefused() throws Exception {
        givenPolicies();
        Path file = Files.writeString(directory.resolve("password"), "secret\n");
        flags.put("redis_password_file", List.of(file.toString()));
        assertThat(errors()).singleElement().asString().contains("given without redis");
        flags.put("redis", List.of("redis://app:hunter2@redis.internal"));
        assertThat(errors())
                .singleElement()
                .asString()
                .contains("one of the two")
                .doesNotContain("hunter2");
        flags.put("redis", List.of("redis://redis.internal"));
        Files.writeString(file, "one\ntwo\n");
        assertThat(errors())
                .singleElement()
                .asString()
                .contains("a file of one line")
                .doesNotContain("two\n");
    }
}
