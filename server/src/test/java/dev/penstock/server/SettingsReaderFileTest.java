package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.FailureMode;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.SettingSamples.Sample;
import dev.penstock.server.internal.settings.Setting;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings from the configuration file. */
class SettingsReaderFileTest extends SettingsReaderFixture {
    @ParameterizedTest
    @MethodSource("samplesOfNoSecrets")
    void everySetting_isTakenFromTheFile_beforeItsVariable(Sample sample) throws Exception {
        Setting<?> setting = setting(sample.name());
        givenBesides(sample);
        environment.put(setting.variable(), placed(sample.text()));
        givenInFile(sample);
        assertThat(entry(read(), sample.name())).isEqualTo(shown(sample, config + ":2"));
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
                "gate: { denied_status: 403, request_headers: x-original, attributes: { X-User: user, cookie:Session: session, claim:X-JWT/sub: subject }, longest_delay: 2s }",
                "envoy: { rules: [b], merge_domains: true, count_denied: true, headers: numbers, metadata: true }",
                "metrics: { port: 2, host: 0.0.0.0, tenants: 50, series: 2000,",
                "  otlp: { url: 'http://localhost:4318/v1/metrics', interval: 30s } }",
                "max_wait: 2s",
                "remember_for: 5m",
                "memory: { max_keys: 5000, when_full: allow }",
                "outage: { local_for: 1m, then: open, max_keys: 2000 }",
                "deny_cache: { max_keys: 3000 }",
                "leases: { max_keys: 4000 }",
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
                        RedisSettings.DEFAULT,
                        new EngineSettings(
                                Duration.ofMinutes(5),
                                Duration.ofSeconds(2),
                                new EngineSettings.Memory(5_000, WhenFull.ALLOW),
                                new EngineSettings.Outage(Duration.ofMinutes(1), FailureMode.OPEN, 2_000),
                                3_000,
                                4_000),
                        List.of(token),
                        List.of("penstock.internal"),
                        new TlsSettings(pem, pem, pem, TlsSettings.Ports.MAIN_AND_ADMIN),
                        new AddressSettings(AddressSettings.Header.FORWARDED, 1, List.of()),
                        new HeaderSettings(false, false, HeaderSettings.Reset.DELTA, false, Duration.ofSeconds(1)),
                        new GateSettings(
                                GateSettings.DeniedStatus.ALWAYS_403,
                                GateSettings.RequestHeaders.X_ORIGINAL,
                                Map.of("x-user", "user", "cookie:Session", "session", "claim:x-jwt/sub", "subject"),
                                Duration.ofSeconds(2)),
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
}
