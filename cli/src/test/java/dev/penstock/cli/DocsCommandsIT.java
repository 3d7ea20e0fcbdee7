package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the shell blocks of the README and the docs against a real service. If a page shows JSON below a block, it is
 * compared with the answer: every field must exist, and words such as {@code reason} must be equal. Numbers and ids may
 * differ.
 *
 * <p>The service of a page is started as in its first {@code ./penstock serve} line, with the page's first policy file
 * if the page shows one before that line.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocsCommandsIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```(\\w*)\n(.*?)^ *```$");
    private static final Pattern PERMIT = Pattern.compile("\"permit\":\\{\"id\":\"([^\"]+)\"");
    private static final Set<String> WORDS = Set.of(
            "allowed",
            "reason",
            "action",
            "retry",
            "status",
            "decided_by",
            "policy",
            "limit",
            "unit",
            "overallCode",
            "code");
    private static final int TRIES_UNTIL_DENIED = 60;

    private final ObjectMapper json = new ObjectMapper();
    private final RedisServer redis = RedisServer.start();

    @TempDir
    Path directory;

    @AfterAll
    void stop() {
        redis.close();
    }

    private record Block(String language, String text) {}

    @TestFactory
    List<DynamicTest> everyShellBlock_runsAndAnswersAsShown() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            List<Block> blocks = blocks(Files.readString(page));
            if (blocks.stream().anyMatch(block -> block.language().equals("sh"))) {
                tests.add(DynamicTest.dynamicTest(ROOT.relativize(page).toString(), () -> runPage(blocks)));
            }
        }
        assertThat(tests).hasSizeGreaterThan(8);
        return tests;
    }

    private void runPage(List<Block> blocks) throws Exception {
        redis.command("FLUSHALL");
        Path where = Files.createTempDirectory(directory, "page");
        prepare(where, blocks);
        try (ServeProcess service = ServeProcess.start(where, where, serviceArguments(blocks))) {
            Shell shell = new Shell(where, service.address(), service.adminAddress());
            for (int i = 0; i < blocks.size(); i++) {
                if (blocks.get(i).language().equals("sh")) {
                    shell.runBlock(blocks.get(i).text(), shownAfter(blocks, i));
                }
            }
        }
    }

    /** Creates the files that the commands of the pages name. */
    private static void prepare(Path where, List<Block> blocks) throws IOException {
        try (Stream<Path> examples = Files.walk(ROOT.resolve("examples"))) {
            for (Path example : examples.toList()) {
                Files.copy(example, where.resolve(ROOT.relativize(example)));
            }
        }
        String policies = blocks.stream()
                .filter(block -> block.language().equals("yaml") && block.text().startsWith("version: 1"))
                .map(Block::text)
                .findFirst()
                .orElse(Files.readString(ROOT.resolve("examples/public-api.yaml")));
        Files.writeString(where.resolve("policies.yaml"), policies);
        Files.writeString(where.resolve("login.yaml"), policies);
        Files.writeString(Files.createDirectory(where.resolve("policies")).resolve("policies.yaml"), policies);
        Files.writeString(
                Files.createDirectory(where.resolve("config")).resolve("ratelimit.yaml"),
                "domain: edge\ndescriptors:\n  - key: user\n    rate_limit: { unit: second, requests_per_unit: 10 }\n");
    }

    private String[] serviceArguments(List<Block> blocks) {
        List<String> arguments = new ArrayList<>();
        boolean isPolicyShown = false;
        for (Block block : blocks) {
            isPolicyShown |= block.language().equals("yaml") && block.text().startsWith("version: 1");
            if (block.language().equals("sh")) {
                String serve = block.text()
                        .lines()
                        .filter(line -> line.startsWith("./penstock serve"))
                        .findFirst()
                        .orElse("./penstock serve");
                arguments.addAll(List.of(serve.replaceAll(" +#.*", "")
                        .replaceAll(" --redis \\S+| --redis-password-file \\S+", "")
                        .replaceFirst("\\./penstock serve ?", "")
                        .split(" +")));
                break;
            }
        }
        arguments.removeIf(String::isEmpty);
        if (!arguments.contains("--policies")) {
            arguments.addAll(List.of("--policies", isPolicyShown ? "policies.yaml" : "examples/public-api.yaml"));
        }
        // The service is cold, and on a busy machine its first answers may take longer than the default deadline.
        arguments.addAll(List.of("--redis", redis.uri(), "--warm-up-at-most", "0", "--deadline", "20s"));
        return arguments.toArray(String[]::new);
    }

    /** Returns the next block of the page if it is JSON; otherwise null. */
    private static Block shownAfter(List<Block> blocks, int i) {
        boolean isJson = i + 1 < blocks.size() && blocks.get(i + 1).language().equals("json");
        return isJson ? blocks.get(i + 1) : null;
    }

    private static List<Block> blocks(String page) {
        List<Block> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            blocks.add(new Block(block.group(1), block.group(2).stripIndent()));
        }
        return blocks;
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            files.filter(file -> file.toString().endsWith(".md")))
                    .sorted()
                    .toList();
        }
    }

    /** Runs the blocks of one page, with the addresses of this service instead of those in the page. */
    private final class Shell {
        private final Path where;
        private final String address;
        private final String adminAddress;
        private String permitId = "none";

        Shell(Path where, String address, String adminAddress) {
            this.where = where;
            this.address = address;
            this.adminAddress = adminAddress;
        }

        void runBlock(String text, Block shown) throws Exception {
            String script = text.lines().map(this::here).collect(Collectors.joining("\n"));
            JsonNode expected = shown == null ? null : json.readTree(shown.text());
            boolean isDenial = expected != null
                    && expected.path("allowed").isBoolean()
                    && !expected.get("allowed").asBoolean();
            String out = run(script);
            for (int i = 0; isDenial && !out.contains("\"allowed\":false") && i < TRIES_UNTIL_DENIED; i++) {
                out = run(script);
            }
            Matcher permit = PERMIT.matcher(out);
            if (permit.find()) {
                permitId = permit.group(1);
            }
            if (expected != null) {
                assertAnswers(out, expected, text);
            }
        }

        private String run(String script) throws Exception {
            Bash ended = Bash.run(where, "set -e -o pipefail; ID='" + permitId + "'\n" + script);
            assertThat(ended.status()).as(script + "\n" + ended.out()).isZero();
            return ended.out();
        }

        /**
         * Returns the line for this service. A line that starts a service is only checked: its settings must be valid.
         */
        private String here(String line) {
            String launcher = ROOT.resolve("penstock").toString();
            String bare = line.replaceAll("(^|\\s)#.*", "");
            if (bare.startsWith("./penstock test") || bare.startsWith("./penstock demo")) {
                return "true";
            }
            if (bare.startsWith("./penstock serve")) {
                String withPolicies = bare.contains("--policies") ? bare : bare + " --policies policies.yaml";
                return withPolicies.replace("./penstock", launcher) + " --print-config > config.out";
            }
            if (bare.startsWith("./penstock admin")) {
                return bare.replace("./penstock", launcher) + " --url " + adminAddress;
            }
            return bare.replace("./penstock", launcher)
                    .replaceAll("(?:http://)?localhost:8080", address)
                    .replaceAll("(?:http://)?localhost:8081", adminAddress)
                    .replaceAll("\\bcurl ", "curl -s ");
        }

        private void assertAnswers(String out, JsonNode expected, String script) throws IOException {
            List<String> differences = new ArrayList<>();
            String bodies = out.substring(Math.max(0, out.indexOf('{')));
            try (MappingIterator<JsonNode> answers =
                    json.readerFor(JsonNode.class).readValues(bodies)) {
                while (answers.hasNextValue()) {
                    String difference = difference("", expected, Objects.requireNonNull(answers.nextValue()));
                    if (difference == null) {
                        return;
                    }
                    differences.add(difference);
                }
            }
            throw new AssertionError(
                    script + "\nanswered\n" + out + "\nbut the page shows\n" + expected + "\n" + differences);
        }
    }

    /** Returns the first place where the answer differs from what is shown; null if there is none. */
    private static String difference(String place, JsonNode shown, JsonNode answer) {
        if (shown.getNodeType() != answer.getNodeType()) {
            return place + ": " + answer + " (shown: " + shown + ")";
        }
        if (shown.isObject()) {
            for (var field : shown.properties()) {
                JsonNode value = answer.get(field.getKey());
                String inside = place + "/" + field.getKey();
                if (value == null) {
                    return inside + ": missing";
                }
                String found =
                        WORDS.contains(field.getKey()) && !field.getValue().equals(value) && value.isValueNode()
                                ? inside + ": " + value + " (shown: " + field.getValue() + ")"
                                : difference(inside, field.getValue(), value);
                if (found != null) {
                    return found;
                }
            }
        }
        if (shown.isArray()) {
            for (JsonNode element : shown) {
                boolean isThere = false;
                for (JsonNode candidate : answer) {
                    isThere |= difference(place, element, candidate) == null;
                }
                if (!isThere) {
                    return place + ": no element like " + element;
                }
            }
        }
        return null;
    }
}
