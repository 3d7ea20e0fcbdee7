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

/** {@code penstock admin tail}: decisions as they are made. */
@Command(
        name = "tail",
        description = "Tells decisions as they are made, one line each, until it is stopped.",
        footer = {"  penstock admin tail", "  penstock admin tail --policy login --outcome denied --count 10"})
final class AdminTailCommand extends ServiceCommand {
    private static final String DATA = "data: ";

    @Option(names = "--policy", paramLabel = "NAME", description = "Only those in which it had a part.")
    private @Nullable String policy;

    @Option(
            names = "--outcome",
            paramLabel = "OUTCOME",
            description = "Only those that are allowed, denied, or observed: denied had a policy not only watched.")
    private @Nullable String outcome;

    @Option(names = "--key", paramLabel = "TEXT", description = "Only those about a key with this text in it.")
    private @Nullable String key;

    @Option(names = "--count", paramLabel = "NUMBER", description = "Stops after so many.")
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

    /** Whether another is wanted after this one: not when there were enough, nor when nobody reads them any more. */
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
            out.text(Tone.ASIDE, some + " left out: they came faster than they were read")
                    .end();
        }
        left -= isDecision ? 1 : 0;
        return left > 0 && !out.writer().checkError();
    }
}
