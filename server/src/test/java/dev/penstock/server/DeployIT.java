package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.testkit.server.GatewayServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The alert rules and the dashboard query only metrics that the service exports. */
class DeployIT {
    private static final Path RULES = Path.of("../deploy/prometheus/alerts.yaml");
    private static final Path RULE_TESTS = Path.of("../deploy/prometheus/alerts_test.yaml");
    private static final Path DASHBOARD = Path.of("../deploy/grafana/penstock.json");
    private static final Path OPERATING = Path.of("../docs/operating.md");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? ");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

    /** The labels that Prometheus adds to every sample. */
    private static final Set<String> OF_THE_SCRAPE = Set.of("instance", "job");

    @TempDir
    private Path directory;

    private static JsonNode rules() throws IOException {
        Object read = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(RULES));
        return new ObjectMapper().<JsonNode>valueToTree(read).at("/groups/0/rules");
    }

    /** Checks that every metric and label of the queries is exported by a service that has all features on. */
    private void assertExported(List<String> queries) throws Exception {
        Set<String> names = new TreeSet<>();
        Set<String> labels = new TreeSet<>(OF_THE_SCRAPE);
        Matcher samples = SAMPLE.matcher(MetricsIT.scrapeOfEverything(directory));
        while (samples.find()) {
            names.add(samples.group(1));
            Matcher label = LABEL.matcher(samples.group(2) == null ? "" : samples.group(2));
            while (label.find()) {
                labels.add(label.group(1));
            }
        }
        assertThat(queries).allSatisfy(query -> {
            QueryText text = QueryText.of(query);
            assertThat(text.metrics()).as(query).isNotEmpty().isSubsetOf(names);
            assertThat(text.labels()).as(query).isSubsetOf(labels);
        });
    }

    @Test
    void metricsOfTheAlerts_areExported() throws Exception {
        List<String> queries = new ArrayList<>();
        rules().forEach(rule -> queries.add(rule.get("expr").asText()));

        assertThat(queries).hasSizeGreaterThan(8);
        assertExported(queries);
    }

    @Test
    void metricsOfTheDashboard_areExported() throws Exception {
        String text = Files.readString(DASHBOARD);
        JsonNode dashboard = new ObjectMapper().readTree(text);
        List<String> queries = new ArrayList<>(dashboard.findValuesAsText("expr"));
        dashboard.at("/templating/list").forEach(variable -> {
            if (variable.at("/query/query").isTextual()) {
                queries.add(variable.at("/query/query").asText());
            }
        });

        assertThat(queries).hasSizeGreaterThan(30);
        assertExported(queries);
    }

    @Test
    void everyAlert_isDocumented() throws Exception {
        String document = Files.readString(OPERATING);
        List<String> told = document.substring(document.indexOf("\n## Alerts\n"))
                .lines()
                .filter(line -> line.startsWith("| `Penstock"))
                .map(line -> line.split("`", -1)[1])
                .toList();
        List<String> alerts = new ArrayList<>();
        rules().forEach(rule -> alerts.add(rule.get("alert").asText()));

        assertThat(told).containsExactlyElementsOf(alerts);
    }

    @Test
    void rules_passTheirTests() throws Exception {
        assumeTrue(GatewayServer.has("promtool"), "promtool is not installed (Debian: prometheus)");

        assertThat(promtool("check", "rules", RULES)).contains("SUCCESS");
        assertThat(promtool("test", "rules", RULE_TESTS)).contains("SUCCESS");
    }

    private static String promtool(String verb, String what, Path file) throws Exception {
        Process process = new ProcessBuilder("promtool", verb, what, file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    @Test
    void everyAlert_hasATest() throws Exception {
        String tests = Files.readString(RULE_TESTS);

        rules().forEach(rule ->
                assertThat(tests).contains("alertname: " + rule.get("alert").asText()));
    }

    @Test
    void queries_areParsed() {
        QueryText text = QueryText.of(
                "sum by (policy, le) (rate(a_total{x=\"b_total\", y!~\"c\"}[5m] offset 1h)) > 3 * max(d) unless time() < 5");

        assertThat(text.metrics()).containsExactly("a_total", "d");
        assertThat(text.labels()).containsExactly("le", "policy", "x", "y");
        assertThat(QueryText.of("label_values(a, b)")).isEqualTo(new QueryText(Set.of("a"), Set.of("b")));
    }
}
