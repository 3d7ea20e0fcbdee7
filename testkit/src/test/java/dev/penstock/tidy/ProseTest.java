package dev.penstock.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks the English of the project: pages, comments, messages. CONTRIBUTING.md describes how we write. */
class ProseTest {
    /** The tolerated number of flagged pieces per 1,000 words over the whole project. */
    private static final double TOLERATED_PER_THOUSAND = 1;

    private static final Map<ProseRule, String> BAD = new EnumMap<>(Map.ofEntries(
            Map.entry(ProseRule.TELL, "The header tells the time."),
            Map.entry(ProseRule.SO_MANY, "Keeps so many keys at most."),
            Map.entry(ProseRule.WHOEVER, "Denies whoever asks."),
            Map.entry(ProseRule.BUT_FOR, "Writes nothing but for the repair."),
            Map.entry(ProseRule.IN_THE_PLACE_OF, "Decides in the place of the store."),
            Map.entry(ProseRule.STANDS, "The rule stands in a file."),
            Map.entry(ProseRule.THAT_THERE_IS, "The keys that there are."),
            Map.entry(ProseRule.BY_CHANCE, "Chosen by chance."),
            Map.entry(ProseRule.ONES_OWN, "Proxies of one's own."),
            Map.entry(ProseRule.AS_EVER, "Everything goes on as ever."),
            Map.entry(ProseRule.NEED_BE, "Made where need be."),
            Map.entry(ProseRule.ALL_THE_SAME, "Requests that come all the same."),
            Map.entry(ProseRule.OTHERWISE_ELSE, "Allowed if there is room; else denied."),
            Map.entry(ProseRule.FIGURE, "The figures of one run."),
            Map.entry(ProseRule.WHAT_CLAUSE, "What is held is kept apart."),
            Map.entry(ProseRule.THE_SAME_FOR, "The same for a permit."),
            Map.entry(ProseRule.FIRST_LAYER, "A first layer against floods."),
            Map.entry(ProseRule.TIME_OUT, "The caller's time-out."),
            Map.entry(ProseRule.OBSERVED_SHADOW, "Limits that are only observed."),
            Map.entry(ProseRule.WHERE_CLAUSE, "Where a key is missing, all share one account."),
            Map.entry(ProseRule.IN_FORCE, "The policies in force."),
            Map.entry(ProseRule.RULING, "A ruling of a deny list."),
            Map.entry(ProseRule.TALKER, "The talkers of all nodes."),
            Map.entry(ProseRule.STORE_AWAY, "While Redis is away, shares decide."),
            Map.entry(ProseRule.BRITISH, "The behaviour of a limit.")));

    @Test
    void wholeProject_staysBelowTheTolerance() {
        List<Prose> all = Prose.all();
        List<String> flagged = new ArrayList<>();
        long words = 0;
        for (Prose prose : all) {
            words += prose.words();
            for (ProseRule rule : ProseRule.values()) {
                if (rule.matches(prose.text())) {
                    flagged.add(prose.place() + ": " + rule + " (write: " + rule.instead() + "): " + prose.text());
                }
            }
        }

        assertThat(words).isGreaterThan(100_000);
        assertThat(flagged.size() * 1_000.0 / words)
                .as("%d flagged in %d words:%n%s", flagged.size(), words, String.join("\n", flagged))
                .isLessThan(TOLERATED_PER_THOUSAND);
    }

    @Test
    void pages_haveNoFlaggedPhrase() {
        List<String> flagged = new ArrayList<>();
        for (Prose prose : Prose.all()) {
            if (prose.place().matches("(?:README|CONTRIBUTING|SECURITY|docs/.*|examples/.*)\\.md:\\d+")) {
                for (ProseRule rule : ProseRule.values()) {
                    if (rule.matches(prose.text())) {
                        flagged.add(prose.place() + ": " + rule + " (write: " + rule.instead() + "): " + prose.text());
                    }
                }
            }
        }

        assertThat(flagged).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void matches_badSample_isCaught(ProseRule rule) {
        assertThat(rule.matches(Objects.requireNonNull(BAD.get(rule)))).isTrue();
    }

    @Test
    void matches_goodSentence_passes() {
        String good =
                "The guard retries once. If Redis misses the deadline, the failure mode decides. What is a permit?";

        assertThat(ProseRule.values()).noneMatch(rule -> rule.matches(good));
    }

    @Test
    void of_markdown_leavesOutCode() {
        assertThat(Prose.of("A.md", "# Title\n\nOne `so many`\nparagraph.\n\n```\nso many\n```\n\n| so | many |\n"))
                .extracting(Prose::text)
                .containsExactly("Title", "One `x` paragraph.", "so", "many");
    }

    @Test
    void of_html_hasItsTexts() {
        assertThat(Prose.of("a.html", "<p class=\"x\">One <b>two</b> three.</p>\n<script>var four = 5;</script>"))
                .extracting(Prose::text)
                .containsExactly("One two three.");
    }

    @Test
    void of_javaScript_hasCommentsAndMessages() {
        assertThat(Prose.of(
                        "a.js", "/** First. */\nconst a = 'one two three four';\nconst b = `five six ${seven} eight`;"))
                .extracting(Prose::text)
                .containsExactly("First.", "one two three four", "five six x eight");
    }

    @Test
    void of_yaml_hasCommentsAndSummaries() {
        assertThat(Prose.of("a.yaml", "# First.\nsummary: Redis is slow.\nexpr: so many\n"))
                .extracting(Prose::text)
                .containsExactly("First.", "Redis is slow.");
    }

    @Test
    void of_java_hasCommentsAndMessages() {
        assertThat(Prose.of(
                        "core/src/main/java/A.java",
                        "/** First.\n * Second. */ class A { // third\n String s = \"one two three four\"; }"))
                .extracting(Prose::text)
                .containsExactly("First. Second.", "third", "one two three four");
    }
}
