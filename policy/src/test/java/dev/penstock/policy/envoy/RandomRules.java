package dev.penstock.policy.envoy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Random rules with few keys and values, so that descriptors often match. Also has a slow and simple search for the
 * matching rule.
 */
final class RandomRules {
    static final String DOMAIN = "d";
    private static final List<String> KEYS = List.of("a", "b", "c");
    private static final List<String> UNITS = List.of("minute", "hour", "DAY", "week");

    /** The kinds of wildcards to generate. */
    enum Stars {
        AT_THE_END,
        ANYWHERE;

        List<String> written() {
            return this == AT_THE_END
                    ? List.of("", "x", "xy", "xyz", "y", "*", "x*", "xy*", "yx*")
                    : List.of("", "x", "xy", "xyx", "y", "*", "x*", "*y", "x*y", "x*x*", "**");
        }
    }

    /**
     * A descriptor of the file.
     *
     * @param limit the words of its rate limit; null for none
     */
    record Node(String key, String value, @Nullable String limit, boolean shadow, boolean share, List<Node> below) {
        String yaml(String indent) {
            return indent + "- key: " + key + "\n"
                    + (value.isEmpty() ? "" : indent + "  value: \"" + value + "\"\n")
                    + (limit == null ? "" : indent + "  rate_limit: { " + limit + " }\n")
                    + (shadow ? indent + "  shadow_mode: true\n" : "")
                    + (share ? indent + "  share_threshold: true\n" : "")
                    + (below.isEmpty() ? "" : indent + "  descriptors:\n" + yamlOf(below, indent + "    "));
        }
    }

    private final SplittableRandom random;
    private final List<String> values;
    private final List<Node> nodes;

    RandomRules(SplittableRandom random, Stars stars) {
        this.random = random;
        this.values = stars.written();
        this.nodes = nodes(3, new HashSet<>());
    }

    private List<Node> nodes(int depth, Set<String> above) {
        List<Node> beside = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (int i = random.nextInt(5) + (depth == 3 ? 1 : 0); i > 0; i--) {
            String key = KEYS.get(random.nextInt(KEYS.size()));
            String value = values.get(random.nextInt(values.size()));
            if (above.contains(key) || !taken.add(key + "=" + value)) {
                continue;
            }
            Set<String> aboveThose = new HashSet<>(above);
            aboveThose.add(key);
            String limit = random.nextInt(4) == 0 ? null : limit();
            boolean shadow = limit != null && !limit.endsWith(": 0") && random.nextInt(4) == 0;
            boolean share = value.contains("*") && random.nextBoolean();
            List<Node> below = depth == 1 ? List.of() : nodes(depth - 1, aboveThose);
            beside.add(new Node(key, value, limit, shadow, share, below));
        }
        return beside;
    }

    private String limit() {
        String unit = "unit: " + UNITS.get(random.nextInt(UNITS.size())) + ", requests_per_unit: ";
        return random.nextInt(6) == 0 ? "unlimited: true" : unit + random.nextInt(4);
    }

    EnvoyDescriptor descriptor() {
        List<String> entries = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            entries.add(KEYS.get(random.nextInt(KEYS.size())));
            entries.add(random.nextInt(3) == 0 ? letters() : values.get(random.nextInt(values.size())));
        }
        return EnvoyDescriptor.of(entries.toArray(String[]::new)).hitsAddend(1 + random.nextInt(2));
    }

    private String letters() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append("xyz".charAt(random.nextInt(3)));
        }
        return text.toString();
    }

    String yaml() {
        return "domain: " + DOMAIN + "\ndescriptors:\n" + yamlOf(nodes, "  ");
    }

    private static String yamlOf(List<Node> nodes, String indent) {
        return nodes.stream().map(node -> node.yaml(indent)).collect(Collectors.joining());
    }

    /** Returns the descriptor of the file that all entries lead to; null if there is none. */
    @Nullable
    Node find(EnvoyDescriptor descriptor) {
        List<Node> level = nodes;
        Node found = null;
        for (EnvoyDescriptor.Entry entry : descriptor.entries()) {
            found = find(level, entry);
            if (found == null) {
                return null;
            }
            level = found.below();
        }
        return found;
    }

    private static @Nullable Node find(List<Node> level, EnvoyDescriptor.Entry entry) {
        List<Node> ofKey =
                level.stream().filter(node -> node.key().equals(entry.key())).toList();
        return ofKey.stream()
                .filter(node -> !node.value().isEmpty() && node.value().equals(entry.value()))
                .findFirst()
                .or(() -> ofKey.stream()
                        .filter(node -> node.value().contains("*")
                                && expression(node.value())
                                        .matcher(entry.value())
                                        .matches())
                        .findFirst())
                .or(() -> ofKey.stream().filter(node -> node.value().isEmpty()).findFirst())
                .orElse(null);
    }

    private static Pattern expression(String wildcard) {
        return Pattern.compile(wildcard.replace("*", ".*"));
    }
}
