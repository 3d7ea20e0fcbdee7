package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {
    @TempDir
    Path directory;

    @Test
    void validate_goodDirectory_printsOneLineAndNeedsNoSecret() {
        Run run = Run.of("validate", "FILES/shop");

        assertThat(run.status()).isZero();
        assertThat(run.out()).matches("valid: 2 files, 5 policies, 7 limits, 2 plans, 2 tenants, hash [0-9a-f]{16}\n");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void validate_oneOfEach_isNotPlural() throws IOException {
        Path file = Files.writeString(directory.resolve("a.yaml"), """
                version: 1
                plans: { free: { requests: 1/s } }
                default_plan: free
                tenants: { acme: free }
                default: { limits: [ { key: tenant, token_bucket: plan.requests } ] }
                """);

        assertThat(Run.of("validate", file.toString()).out())
                .startsWith("valid: 1 file, 1 policy, 1 limit, 1 plan, 1 tenant, hash ");
    }

    @Test
    void validate_leasedPolicyThatMeetsAStrictOne_printsANoteWithItsPlace() throws IOException {
        Path file = Files.writeString(directory.resolve("a.yaml"), """
                version: 1
                policies:
                  - name: tenant
                    consistency: leased
                    limits: [ { key: tenant, token_bucket: 1000/s } ]
                  - name: slots
                    limits: [ { key: tenant, concurrency: 5, ttl: 1m } ]
                """);
        String problem = "leasing saves no round trip: each request is also under \"slots\", which Redis decides. The"
                + " permits of this policy are still spent from leases";

        Run run = Run.of("validate", file.toString());

        assertThat(run.status()).isZero();
        assertThat(run.out()).startsWith("valid: ");
        assertThat(run.err()).isEqualTo("note: " + file + ":3:5 policies[0]: " + problem + "\n");
        JsonNode note = Run.of("validate", "--json", file.toString())
                .json()
                .get("notes")
                .get(0);
        assertThat(note.get("line").asInt()).isEqualTo(3);
        assertThat(note.get("problem").asText()).isEqualTo(problem);
    }

    @Test
    void validate_bad_printsAllErrorsWithTheirLinesToErr() {
        Run run = Run.of("validate", "FILES/bad.yaml", "FILES/none.yaml");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().replaceFirst("name, match, [^;]*", "WORDS")).isEqualTo("""
                FILES/bad.yaml:3:5 policies[0]: no limits (expected: a list of limits)
                  3 |   - name: api
                    |     ^
                FILES/bad.yaml:4:5 policies[0].limts: unknown field (expected: WORDS; did you mean limits?)
                  4 |     limts: [ { key: user, token_bucket: 10/min } ]
                    |     ^
                FILES/bad.yaml:6:42 policies[1].limits[0].token_bucket: 0/min (expected: a rate above 0)
                  6 |     limits: [ { key: user, token_bucket: 0/min } ]
                    |                                          ^
                FILES/none.yaml: no such file
                4 errors in 2 files
                """);
    }

    @Test
    void validate_goodAsJson_hasTheCounts() {
        Run run = Run.of("validate", "--json", "FILES/shop");

        assertThat(run.status()).isZero();
        assertThat(run.json().get("valid").asBoolean()).isTrue();
        assertThat(run.json().get("policies").asInt()).isEqualTo(5);
        assertThat(run.json().get("hash").asText()).hasSize(16);
    }

    @Test
    void validate_badAsJson_printsTheErrorsAsTheAnswer() {
        Run run = Run.of("validate", "FILES/bad.yaml", "--json");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.json().get("valid").asBoolean(true)).isFalse();
        JsonNode last = run.json().get("errors").get(2);
        assertThat(run.json().get("errors")).hasSize(3);
        assertThat(last.get("file").asText()).isEqualTo("FILES/bad.yaml");
        assertThat(last.get("line").asInt()).isEqualTo(6);
        assertThat(last.get("column").asInt()).isEqualTo(42);
        assertThat(last.get("path").asText()).isEqualTo("policies[1].limits[0].token_bucket");
        assertThat(last.get("problem").asText()).isEqualTo("0/min (expected: a rate above 0)");
        assertThat(last.get("text").asText()).endsWith("0/min } ]");
    }

    @Test
    void validate_lineWithControlCharacters_isShownSafely() throws IOException {
        Path file = directory.resolve("a.yaml");
        Files.writeString(file, "version: 1\n# \u001b[2J\n");

        Run run = Run.of("validate", file.toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).doesNotContain("\u001b").contains("# ?[2J");
    }

    @Test
    void validate_onATerminal_isColored() {
        assertThat(Run.of(Run.Eye.TERMINAL, Map.of(), "validate", "FILES/shop").out())
                .startsWith("\u001b[32mvalid:\u001b[0m 2 files");
        assertThat(Run.of(Run.Eye.TERMINAL, Map.of(), "validate", "FILES/bad.yaml")
                        .err())
                .contains("\u001b[31m    |     ^\u001b[0m\n")
                .endsWith("\u001b[31m3 errors in 1 file\u001b[0m\n");
    }

    @Test
    void validate_envoy_countsItsRules() {
        Run run = Run.of("validate", "--envoy", "FILES/envoy/basic.yaml");

        assertThat(run.status()).isZero();
        assertThat(run.out()).matches("valid: 1 domain, 3 rules, hash [0-9a-f]{16}\n");
    }

    @Test
    void validate_envoyDomainInTwoFiles_isMergedOnlyWhenAsked() {
        Run refused = Run.of("validate", "--envoy", "FILES/envoy");
        Run merged = Run.of("validate", "--envoy", "--merge-domains", "--json", "FILES/envoy");

        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("FILES/envoy/more.yaml:1:9 domain: duplicate domain 'shop'");
        assertThat(merged.status()).isZero();
        assertThat(merged.json().get("rules").asInt()).isEqualTo(4);
        assertThat(merged.json().get("ignored")).isEmpty();
    }

    @Test
    void validate_envoyWordWithoutEffect_isReported() throws IOException {
        Path file = Files.writeString(directory.resolve("a.yaml"), """
                domain: shop
                descriptors:
                  - key: tenant
                    requests_per_unit: 5
                """);

        Run run = Run.of("validate", "--envoy", file.toString());

        assertThat(run.status()).isZero();
        assertThat(run.err()).startsWith("ignored: " + file + ":");
        assertThat(Run.of("validate", "--envoy", "--json", file.toString())
                        .json()
                        .get("ignored"))
                .hasSize(1);
    }
}
