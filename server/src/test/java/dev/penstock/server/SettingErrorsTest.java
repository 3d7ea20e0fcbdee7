package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors in settings that prevent a start, beyond single values. */
class SettingErrorsTest {
    private static final String TOKEN = "a-token-for-tests-1";

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, List<String>> flags = new HashMap<>();

    @BeforeEach
    void policies() {
        flags.put("policies", List.of("policies.yaml"));
    }

    private SettingsInForce read() throws SettingErrors {
        return SettingsReader.of(environment).flags(flags).read();
    }

    private List<SettingError> thrown() {
        SettingErrors thrown = catchThrowableOfType(SettingErrors.class, this::read);
        assertThat(thrown).as("expected errors").isNotNull();
        return thrown.errors();
    }

    private List<String> errors() {
        return thrown().stream()
                .map(error -> error.toString().replace(directory + "/", ""))
                .toList();
    }

    private void config(String... lines) throws IOException {
        Path file = directory.resolve("penstock.yaml");
        Files.writeString(file, String.join("\n", lines) + "\n");
        environment.put("PENSTOCK_CONFIG", file.toString());
    }

    @Test
    void unknownFlag_isRefused() {
        assertThatThrownBy(() -> SettingsReader.of(Map.of()).flags(Map.of("--port", List.of("1"))))
                .hasMessage("flags: --port (expected: the name of a setting)");
    }

    @Test
    void allErrors_areReportedAtOnce_theFileFirst() throws Exception {
        config("port: http", "admin: { prot: 1 }", "log: json", "nodes:");
        environment.put("PENSTOCK_DEADLINE", "soon");
        environment.put("PENSTOCK_REDUS", "redis://host");
        flags.put("host", List.of("here"));
        flags.put("tls.key", List.of(Files.createFile(directory.resolve("key")).toString()));

        assertThat(errors())
                .containsExactly(
                        "penstock.yaml:1:7 port: http (expected: a number from 0 to 65535)",
                        "penstock.yaml:2:10 admin.prot: unknown field (expected: port, host, token, token_file, read_tokens, read_tokens_file, audit_file; did you mean"
                                + " port?)",
                        "penstock.yaml:3:6 log: json (expected: a mapping of settings, such as format: ...)",
                        "penstock.yaml:4:7 nodes: nothing (expected: a number from 1 to 10000)",
                        "PENSTOCK_REDUS: no such setting (expected: one of serve --help; did you mean PENSTOCK_REDIS?)",
                        "--host: here (expected: an address such as 127.0.0.1, 0.0.0.0 or ::1)",
                        "PENSTOCK_DEADLINE: soon (expected: a time such as 30s, 10m, 1h30m or 500ms)",
                        "tls.certificate (--tls-certificate, PENSTOCK_TLS_CERTIFICATE): nothing (expected: a file, because"
                                + " other tls settings are given)");
        assertThat(thrown().get(0).excerpt()).isEqualTo("  1 | port: http\n    |       ^");
    }

    @Test
    void overriddenSource_isCheckedToo() {
        flags.put("port", List.of("1"));
        environment.put("PENSTOCK_PORT", "http");

        assertThat(errors()).containsExactly("PENSTOCK_PORT: http (expected: a number from 0 to 65535)");
    }

    @Test
    void noPolicies_isAnError_unlessThereAreExamples() throws Exception {
        flags.clear();
        List<Path> examples = List.of(Path.of("examples/a.yaml"));

        assertThat(errors())
                .containsExactly(
                        "policies (--policies, PENSTOCK_POLICIES): none (expected: at least one file or directory)");
        SettingsInForce read = SettingsReader.of(environment).examples(examples).read();
        assertThat(read.settings().policies()).isEqualTo(examples);
        assertThat(read.entries().get(0))
                .isEqualTo(new SettingsInForce.Entry("policies", "examples/a.yaml", "examples"));
    }

    @Test
    void publicAdminPort_needsAToken() throws Exception {
        environment.put("PENSTOCK_ADMIN_HOST", "0.0.0.0");
        String problem =
                "0.0.0.0 without a token (expected: PENSTOCK_ADMIN_TOKEN or admin.token_file, or an address that only this machine reaches,"
                        + " such as 127.0.0.1)";

        assertThat(errors()).containsExactly("PENSTOCK_ADMIN_HOST: " + problem);

        environment.remove("PENSTOCK_ADMIN_HOST");
        config("admin:", "  host: 0.0.0.0");
        assertThat(errors()).containsExactly("penstock.yaml:2:9 admin.host: " + problem);

        environment.put("PENSTOCK_ADMIN_TOKEN", TOKEN);
        assertThat(read().settings().admin().tokens())
                .containsExactly(new AdminToken("admin.token", AdminToken.Role.WRITE, new Secret(TOKEN)));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true", "127.9.9.9, true", "::1, true", "localhost, true", "::ffff:127.0.0.1, true",
        "0.0.0.0, false", "::, false", "10.0.0.1, false", "::2, false", "128.0.0.1, false"
    })
    void loopback_isReachableOnlyFromThisMachine(String host, boolean loopback) {
        assertThat(new ListenAddress(host, 1).isLoopback()).isEqualTo(loopback);
    }

    @Test
    void delayAtTheGate_isRefused_ifTheCallWouldEndBefore() throws Exception {
        flags.put("gate.longest_delay", List.of("10s"));
        assertThat(errors())
                .containsExactly(
                        "--gate-longest-delay: 10s (expected: less than clients.slowest, after which the call gets 503)");

        flags.put("clients.slowest", List.of("11s"));
        assertThat(read().settings().gate().longestDelay()).hasSeconds(10);
    }

    @Test
    void equalPorts_areRefused_ifTheirAddressesOverlap() throws Exception {
        flags.put("admin.port", List.of("8080"));
        assertThat(errors()).containsExactly("--admin-port: 8080 (expected: a port other than port)");

        flags.put("host", List.of("::"));
        assertThat(errors()).containsExactly("--admin-port: 8080 (expected: a port other than port)");

        flags.put("host", List.of("10.0.0.1"));
        assertThat(read().settings().at().port()).isEqualTo(8080);

        flags.put("host", List.of("0.0.0.0"));
        flags.put("port", List.of("0"));
        flags.put("admin.port", List.of("0"));
        assertThat(read().settings().admin().at().port()).isZero();
    }

    @Test
    void contradictorySettings_areRefused() throws Exception {
        flags.put("address.trusted_hops", List.of("1"));
        environment.put("PENSTOCK_ADDRESS_TRUSTED_PROXIES", "10.0.0.0/8");
        environment.put("PENSTOCK_TOKENS", TOKEN);
        Path file = Files.writeString(directory.resolve("tokens"), TOKEN);
        flags.put("tokens_file", List.of(file.toString()));

        assertThat(errors())
                .containsExactlyInAnyOrder(
                        "PENSTOCK_TOKENS: given together with tokens_file (expected: one of the two)",
                        "--address-trusted-hops: 1 and trusted_proxies (expected: one of the two)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PENSTOCK_TOKENS", "PENSTOCK_REDIS", "PENSTOCK_PORT", "PENSTOCK_CONFIG"})
    void emptyVariable_isAnError(String name) {
        environment.put(name, "");

        assertThat(errors()).singleElement().asString().startsWith(name + ": empty (expected: a");
    }

    @Test
    void foreignVariables_areIgnored() throws Exception {
        environment.put("PENSTOCK_HASH_KEY", "for policies");
        environment.put("PENSTOCK_HASH_KEY_2", "for policies");
        environment.put("PENSTOCK_PORT", "tcp://10.0.0.1:8080");
        environment.put("PENSTOCK_PORT_8080_TCP", "tcp://10.0.0.1:8080");
        environment.put("PENSTOCK_PORT_8080_TCP_ADDR", "10.0.0.1");
        environment.put("PENSTOCK_SERVICE_HOST", "10.0.0.1");
        environment.put("PENSTOCK_SERVICE_PORT", "8080");
        environment.put("PENSTOCK_SERVICE_PORT_HTTP", "8080");
        environment.put("PENSTOCK_ADMIN_PORT", "tcp://10.0.0.1:8081");
        environment.put("PENSTOCK_ADMIN_SERVICE_HOST", "10.0.0.1");
        environment.put("PENSTOCK_REDIS_PORT", "tcp://10.0.0.2:6379");
        environment.put("OTHER_PORT", "http");

        assertThat(read().settings()).isEqualTo(ServerSettings.of(Path.of("policies.yaml")));
    }

    @Test
    void secretInTheFile_isRefusedAndNotShown() throws Exception {
        config("{ tokens: [very-secret-token], nothing: 1 }");

        assertThat(thrown()).hasSize(2).allSatisfy(error -> {
            assertThat(error.toString()).doesNotContain("very-secret");
            assertThat(error.excerpt()).isNull();
        });
        assertThat(errors())
                .contains(
                        "penstock.yaml:1:11 tokens: a value that is not shown (expected: tokens_file or PENSTOCK_TOKENS; no"
                                + " secrets in this file)");
    }

    @Test
    void badSecrets_areNotShown() throws Exception {
        config("{ redis: \"redis://me:very-secret@host:port\", nodes: none }");
        environment.put("PENSTOCK_TOKENS", TOKEN + ",very-secret");
        environment.put("PENSTOCK_ADMIN_TOKEN", "very-secret with spaces");
        Path file = Files.writeString(directory.resolve("tokens"), TOKEN + "\nvery-secret\n");
        flags.put("tokens_file", List.of(file.toString()));

        assertThat(thrown()).hasSize(5).allSatisfy(error -> {
            assertThat(error.toString()).doesNotContain("very-secret");
            assertThat(error.excerpt()).isNull();
        });
        assertThat(errors())
                .contains("PENSTOCK_TOKENS: the given value (expected: a token of 16 to 1024 visible ASCII characters,"
                        + " without spaces)")
                .contains("--tokens-file: "
                        + "tokens (expected: in line 2 a token of 16 to 1024 visible ASCII characters,"
                        + " without spaces)");
    }

    @Test
    void secrets_areNotShownByAnything() throws Exception {
        environment.put("PENSTOCK_TOKENS", TOKEN);
        environment.put("PENSTOCK_ADMIN_TOKEN", TOKEN);
        environment.put("PENSTOCK_REDIS", "rediss-cluster://:" + TOKEN + "@a:1,b:2");

        SettingsInForce read = read();

        assertThat(read.toString()).doesNotContain(TOKEN).contains("rediss-cluster://:hidden@a:1,b:2");
        assertThat(read.settings().tokens()).containsExactly(new Secret(TOKEN));
    }

    @Test
    void secret_matchesOnlyItself() {
        assertThat(Secret.hash(TOKEN)).isEqualTo(Secret.hash(new Secret(TOKEN).text()));
        assertThat(Secret.hash(TOKEN)).isNotEqualTo(Secret.hash(TOKEN + " ")).isNotEqualTo(Secret.hash(""));
        assertThatThrownBy(() -> new Secret("too short"))
                .hasMessageStartingWith("secret: the given value (expected: 16 to");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''            | penstock.yaml:1:1: nothing (expected: a mapping of settings, such as policies: ...)
            # nothing     | penstock.yaml:1:1: nothing (expected: a mapping of settings, such as policies: ...)
            [port]        | penstock.yaml:1:1: a list (expected: a mapping of settings, such as policies: ...)
            port: [1]     | penstock.yaml:1:7 port: a list (expected: a number from 0 to 65535)
            policies: {}  | penstock.yaml:1:11 policies: a mapping (expected: paths)
            gate: { attributes: [a=b] } | penstock.yaml:1:21 gate.attributes: a list (expected: a mapping such as { x-tenant: tenant })
            gate: { attributes: { a: b/c } } | penstock.yaml:1:26 gate.attributes.a: b/c (expected: the name of an attribute, without spaces, slashes, commas and brackets)
            address: { trusted_proxies: [10.0.0.0/8, x] } | penstock.yaml:1:42 address.trusted_proxies[1]: x (expected: an address or a range such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32)
            port: {       | penstock.yaml:2:1: not YAML: expected the node content, but found '<stream end>'
            version: 1    | penstock.yaml:1:1 version: unknown field (expected: policies, port, host, redis, redis_password_file, redis_prefix, redis_tls, deadline, nodes, redis_new_keys, max_wait, remember_for, memory, outage, deny_cache, leases, tokens, tokens_file, hosts, tls, admin, metrics, address, headers, gate, envoy, clients, permits, warm_up, drain, log, region, decision_log, hot_keys, traces)
            """)
    void badFile_isReportedWithLineAndColumn(String text, String problem) throws Exception {
        config(text);

        assertThat(errors()).containsExactly(problem);
    }

    @Test
    void missingFile_isAnError() {
        environment.put("PENSTOCK_CONFIG", directory.resolve("none.yaml").toString());
        assertThat(errors()).containsExactly("none.yaml: no such file");

        environment.put("PENSTOCK_CONFIG", directory.toString());
        assertThat(errors()).containsExactly(directory + ": a directory (expected: a file)");
    }

    @Test
    void pathsInAFile_areRelativeToIt() throws Exception {
        flags.clear();
        config("policies: policies.yaml");

        assertThat(read().settings().policies()).containsExactly(directory.resolve("policies.yaml"));
    }
}
