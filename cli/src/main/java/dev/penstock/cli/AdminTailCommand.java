package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.cli.Output.Tone;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code penstock admin tail}: prints decisions as they are made. */
@Command(
        name = "tail",
        description = "Prints decisions as they are made, one per line, until it is stopped.",
        footer = {"  penstock admin tail", "  penstock admin tail --policy login --outcome denied --count 10"})
final class AdminTailCommand extends ServiceCommand {
    private static final String DATA = "data: ";

    @Option(names = "--policy", paramLabel = "NAME", description = "Only decisions in which this policy took part.")
    private @Nullable String policy;

    @Option(
            names = "--outcome",
            paramLabel = "OUTCOME",
            description = "Only this outcome: allowed, denied, or shadow_denied (a shadow policy would have denied).")
    private @Nullable String outcome;

    @Option(names = "--key", paramLabel = "TEXT", description = "Only decisions about a key that contains this text.")
    private @Nullable String key;

    @Option(names = "--count", paramLabel = "NUMBER", description = "Stops after this number of decisions.")
    private @Nullable String count;

    private long left;

    AdminTailCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() throws UsageError, Failure {
        left = count == null ? Long.MAX_VALUE : RequestText.number("--count", count);
        if (left < 1) {
            throw new UsageError("--count", "0", "1 or more");
        }
        client().lines("/admin/decisions" + query(), line -> !line.startsWith(DATA) || told(line));
        return ExitCode.OK;
    }

    private String query() {
        Map<String, String> words = new LinkedHashMap<>();
        putIfGiven(words, "policy", policy);
        putIfGiven(words, "outcome", outcome);
        putIfGiven(words, "key", key);
        return words.entrySet().stream()
                .map(word -> word.getKey() + "=" + URLEncoder.encode(word.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&", "?", ""));
    }

    private static void putIfGiven(Map<String, String> words, String word, @Nullable String value) {
        if (value != null) {
            words.put(word, value);
        }
    }

    /**
     * Prints a line. Returns true if another one is wanted: there were not enough yet, and the output still has a
     * reader.
     */
    private boolean told(String line) {
        Output out = surroundings.out();
        String text = line.substring(DATA.length());
        JsonNode told = AdminClient.json(text);
        boolean isDecision = told.has("outcome");
        if (json()) {
            out.exact(text).end();
        } else if (isDecision) {
            DecisionText.write(out, told);
        } else {
            String some = Plural.of(told.path("dropped").asLong(), "decision");
            out.text(Tone.ASIDE, some + " dropped: they came faster than they were read")
                    .end();
        }
        left -= isDecision ? 1 : 0;
        return left > 0 && !out.writer().checkError();
    }
}
