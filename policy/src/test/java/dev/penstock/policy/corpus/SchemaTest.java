package dev.penstock.policy.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The JSON Schema that editors use, on the same corpus as the parser. */
class SchemaTest {
    /** The bad cases that no schema can refuse, with the reason. */
    private static final Map<String, String> UNSEEN = new TreeMap<>();

    private static void unseen(String reason, String... names) {
        for (String name : names) {
            UNSEEN.put(name, reason);
        }
    }

    static {
        unseen(
                "a name that must be defined elsewhere, maybe in another file",
                "attributes-undeclared",
                "candidate-of-a-shadow",
                "candidate-of-itself",
                "candidate-of-nobody",
                "default-plan-missing",
                "default-plan-unknown",
                "plan-missing",
                "plan-value-missing",
                "plan-value-unknown",
                "plan-value-wrong-form",
                "plan-burst-without-bucket",
                "tenant-override-unknown",
                "tenant-plan-unknown",
                "yaml-wide-characters");
        unseen(
                "a name that appears twice",
                "files-name-twice",
                "files-plan-twice",
                "files-single-words-twice",
                "lists-name-twice",
                "policy-name-twice");
        unseen(
                "a counter's name depends on several words",
                "files-counter-differs",
                "limit-clash",
                "limit-clash-colocated",
                "candidate-concurrency",
                "limit-counter-colocated",
                "limit-counter-differs",
                "limit-counter-other-algorithm",
                "limit-counter-twice",
                "limit-id-twice");
        unseen(
                "another word is required, maybe in another file",
                "key-hash-without-hash-key",
                "key-route-without-patterns",
                "match-hash-without-hash-key",
                "secret-matched-by-value",
                "secret-without-hash-key");
        unseen("the environment", "hash-key-no-such-file", "hash-key-not-set", "hash-key-short");
        unseen(
                "arithmetic",
                "cost-never-fits",
                "cost-never-fits-plan",
                "cost-too-many-slots",
                "cost-unit-unknown",
                "match-cidr-host-bits",
                "plan-burst-alone",
                "plan-burst-ambiguous",
                "rate-not-exact",
                "rate-too-large");
        unseen("some requests have a cost and others have none", "unit-without-cost-elsewhere");
        unseen("1.0 is the integer 1 to a schema", "version-fraction");
        unseen(
                "YAML errors, which occur before a schema is evaluated",
                "word-merge",
                "word-twice",
                "yaml-not-utf-8",
                "yaml-tag",
                "yaml-tag-mapping");
    }

    static List<CorpusCase> good() {
        return CorpusCase.all("good");
    }

    /** All bad cases, including those whose parser errors are pending. */
    static List<CorpusCase> bad() {
        return Stream.of("bad", "pending")
                .flatMap(kind -> CorpusCase.all(kind).stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("good")
    void schema_good_hasNoComplaints(CorpusCase each) {
        assertThat(PolicySchema.complaints(each)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("bad")
    void schema_bad_isRefusedUnlessItCannotBeSeen(CorpusCase each) {
        String reason = UNSEEN.get(each.name());
        if (reason == null) {
            assertThat(PolicySchema.complaints(each)).isNotEmpty();
        } else {
            assertThat(PolicySchema.complaints(each))
                    .as("refused by the schema after all: " + reason)
                    .isEmpty();
        }
    }

    @Test
    void unseen_namesOnlyExistingCases() {
        assertThat(bad()).extracting(CorpusCase::name).containsAll(UNSEEN.keySet());
    }

    /** Editors show the description beside the word. */
    @Test
    void schema_everyWord_hasADescription() {
        List<String> without = new ArrayList<>();
        collectWordsWithoutDescription(PolicySchema.TREE, "", without);

        assertThat(without).isEmpty();
    }

    private static void collectWordsWithoutDescription(JsonNode node, String path, List<String> without) {
        boolean declares =
                node.has("additionalProperties") || node.has("unevaluatedProperties") || path.endsWith("Words");
        node.path("properties").properties().forEach(word -> {
            JsonNode said = word.getValue();
            boolean described =
                    said.has("description") || said.path("$ref").asText().endsWith("whenMissing");
            if (declares && !described) {
                without.add(path + "." + word.getKey());
            }
        });
        node.properties()
                .forEach(field ->
                        collectWordsWithoutDescription(field.getValue(), path + "/" + field.getKey(), without));
    }
}
