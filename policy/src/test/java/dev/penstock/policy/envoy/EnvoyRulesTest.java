package dev.penstock.policy.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Effect;
import dev.penstock.FixedWindow;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.envoy.EnvoyMatch.Blocked;
import dev.penstock.policy.envoy.EnvoyMatch.Counted;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvoyRulesTest {
    private static final String LEVELS = """
            domain: d
            descriptors:
              - key: a
                value: x
                rate_limit: { unit: second, requests_per_unit: 1 }
                descriptors:
                  - key: b
                    rate_limit: { unit: second, requests_per_unit: 2 }
                  - key: b
                    value: y
                    rate_limit: { unit: second, requests_per_unit: 3 }
              - key: a
                rate_limit: { unit: second, requests_per_unit: 4 }
              - key: nothing
                value: "1"
              - key: nothing
                rate_limit: { unit: second, requests_per_unit: 5 }
            """;

    private static EnvoyRules rules(String yaml) throws PolicyErrors {
        return EnvoyRules.parse("rules.yaml", yaml);
    }

    private static EnvoyMatch only(EnvoyRules rules, EnvoyDescriptor descriptor) {
        List<EnvoyMatch> matches = rules.select("d", List.of(descriptor), 0);
        assertThat(matches).hasSize(1);
        return matches.get(0);
    }

    private static Counted counted(EnvoyRules rules, EnvoyDescriptor descriptor) {
        return (Counted) only(rules, descriptor);
    }

    /** The requests per unit of the rule that counts; null where none does. */
    private static @Nullable Long limit(EnvoyRules rules, String... entries) {
        EnvoyMatch match = only(rules, EnvoyDescriptor.of(entries));
        return match instanceof Counted counted ? (Long) counted.rule().requestsPerUnit() : null;
    }

    @Test
    void select_theWholeWay_findsTheMostExactRule() throws PolicyErrors {
        EnvoyRules rules = rules(LEVELS);

        assertThat(limit(rules, "a", "x")).isEqualTo(1);
        assertThat(limit(rules, "a", "x", "b", "z")).isEqualTo(2);
        assertThat(limit(rules, "a", "x", "b", "y")).isEqualTo(3);
        assertThat(limit(rules, "a", "other")).isEqualTo(4);
        assertThat(limit(rules, "a", "")).isEqualTo(4);
    }

    @Test
    void select_shorterOrLongerThanTheFile_meetsNoRule() throws PolicyErrors {
        EnvoyRules rules = rules(LEVELS);

        assertThat(limit(rules, "a", "other", "b", "y")).isNull();
        assertThat(limit(rules, "a", "x", "b", "y", "c", "z")).isNull();
        assertThat(limit(rules, "b", "y")).isNull();
        assertThat(limit(rules)).isNull();
    }

    @Test
    void select_descriptorWithoutLimit_hidesTheKeyAlone() throws PolicyErrors {
        EnvoyRules rules = rules(LEVELS);

        assertThat(limit(rules, "nothing", "2")).isEqualTo(5);
        assertThat(limit(rules, "nothing", "1")).isNull();
    }

    @Test
    void select_unknownDomain_meetsNoRule() throws PolicyErrors {
        List<EnvoyMatch> matches = rules(LEVELS)
                .select("other", List.of(EnvoyDescriptor.of("a", "x").limit(1, EnvoyUnit.DAY)), 0);

        assertThat(matches).containsExactly(new EnvoyMatch.None());
    }

    @Test
    void select_keysWithUnderscores_neverMeet() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - key: a_b
                    rate_limit: { unit: second, requests_per_unit: 1 }
                  - key: a
                    value: b
                    rate_limit: { unit: second, requests_per_unit: 2 }
                  - key: a
                    descriptors:
                      - key: c
                        rate_limit: { unit: second, requests_per_unit: 3 }
                  - key: a_x
                    descriptors:
                      - key: c
                        rate_limit: { unit: second, requests_per_unit: 3 }
                """);

        assertThat(limit(rules, "a_b", "")).isEqualTo(1);
        assertThat(limit(rules, "a", "b")).isEqualTo(2);
        assertThat(counted(rules, EnvoyDescriptor.of("a", "x_y", "c", "z"))
                        .charge()
                        .key())
                .isNotEqualTo(counted(rules, EnvoyDescriptor.of("a_x", "y", "c", "z"))
                        .charge()
                        .key());
        assertThat(counted(rules, EnvoyDescriptor.of("a", "x", "c", "y_z"))
                        .charge()
                        .key())
                .isNotEqualTo(counted(rules, EnvoyDescriptor.of("a", "x_c_y", "c", "z"))
                        .charge()
                        .key());
    }

    @ParameterizedTest
    @CsvSource({
        "exact, 1",
        "ex, 3",
        "exa, 2",
        "exam, 2",
        "exam*, 4",
        "e, 3",
        "'', 6",
        "*, 6",
        "pre-mid-post, 5",
        "pre--post, 5",
        "pre-post, 6",
        "pre-x-mid-y-post, 5",
        "pre-mid-pos, 6",
        "apre-mid-post, 6"
    })
    void select_wildcards_afterTheExactValueInFileOrderBeforeTheKey(String value, long expected) throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: k, rate_limit: { unit: hour, requests_per_unit: 6 } }
                  - { key: k, value: exa*, rate_limit: { unit: hour, requests_per_unit: 2 } }
                  - { key: k, value: e*, rate_limit: { unit: hour, requests_per_unit: 3 } }
                  - { key: k, value: exam*, rate_limit: { unit: hour, requests_per_unit: 4 } }
                  - { key: k, value: exact, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - { key: k, value: pre-*-post, rate_limit: { unit: hour, requests_per_unit: 5 } }
                """);

        assertThat(limit(rules, "k", value)).isEqualTo(expected);
        assertThat(limit(rules, "other", value)).isNull();
    }

    @Test
    void select_severalStars_matchInOrder() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: k, value: a*b*c, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - { key: all, value: "*", rate_limit: { unit: hour, requests_per_unit: 2 } }
                  - { key: all, rate_limit: { unit: hour, requests_per_unit: 3 } }
                """);

        assertThat(limit(rules, "k", "abc")).isEqualTo(1);
        assertThat(limit(rules, "k", "a1b2c")).isEqualTo(1);
        assertThat(limit(rules, "k", "acb")).isNull();
        assertThat(limit(rules, "k", "ac")).isNull();
        assertThat(limit(rules, "k", "abcb")).isNull();
        assertThat(limit(rules, "all", "")).isEqualTo(2);
        assertThat(limit(rules, "all", "x")).isEqualTo(2);
    }

    @Test
    void select_wildcardBelowAnother_isFoundThere() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - key: a
                    value: x*
                    descriptors:
                      - { key: b, value: y*, rate_limit: { unit: hour, requests_per_unit: 1 } }
                """);

        assertThat(limit(rules, "a", "x1", "b", "y1")).isEqualTo(1);
        assertThat(limit(rules, "a", "x1", "b", "z1")).isNull();
        assertThat(limit(rules, "b", "y1")).isNull();
    }

    @Test
    void select_starInAKey_matchesKeyAndValueTogether() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: "user*", rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - { key: user, value: "z*", rate_limit: { unit: hour, requests_per_unit: 2 } }
                """);

        assertThat(limit(rules, "user_id", "7")).isEqualTo(1);
        assertThat(limit(rules, "user", "z")).isEqualTo(1);
        assertThat(limit(rules, "other", "z")).isNull();
        assertThat(counted(rules, EnvoyDescriptor.of("user_id", "7")).charge().key())
                .isNotEqualTo(counted(rules, EnvoyDescriptor.of("user_no", "7"))
                        .charge()
                        .key());
    }

    @Test
    void select_wildcard_countsEachValueUnlessItShares() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: own, value: f*, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - { key: one, value: f*, share_threshold: true, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - { key: one, value: g*, share_threshold: true, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - key: above
                    value: h*
                    share_threshold: true
                    descriptors:
                      - { key: user, rate_limit: { unit: hour, requests_per_unit: 1 } }
                """);

        assertThat(key(rules, "own", "f1")).isNotEqualTo(key(rules, "own", "f2"));
        assertThat(key(rules, "one", "f1")).isEqualTo(key(rules, "one", "f2")).isEqualTo(key(rules, "one", "f*"));
        assertThat(key(rules, "one", "f1")).isNotEqualTo(key(rules, "one", "g1"));
        assertThat(key(rules, "above", "h1", "user", "u")).isEqualTo(key(rules, "above", "h2", "user", "u"));
        assertThat(key(rules, "above", "h1", "user", "u")).isNotEqualTo(key(rules, "above", "h1", "user", "v"));
    }

    private static Object key(EnvoyRules rules, String... entries) {
        return counted(rules, EnvoyDescriptor.of(entries)).charge().key();
    }

    @ParameterizedTest
    @CsvSource({
        "second, SECOND, 1",
        "MINUTE, MINUTE, 60",
        "Hour, HOUR, 3600",
        "day, DAY, 86400",
        "week, WEEK, 604800",
        "month, MONTH, 2592000",
        "year, YEAR, 31536000"
    })
    void select_unit_isAFixedWindowOfItsLength(String word, EnvoyUnit unit, long seconds) throws PolicyErrors {
        EnvoyRules rules = rules("{ domain: d, descriptors: [ { key: k, rate_limit: { unit: " + word
                + ", requests_per_unit: 4294967295 } } ] }");
        Counted counted = counted(rules, EnvoyDescriptor.of("k", "v"));

        assertThat(counted.rule().unit()).isEqualTo(unit);
        assertThat(counted.charge().limit().algorithm())
                .isEqualTo(new FixedWindow(4294967295L, Duration.ofSeconds(seconds)));
    }

    @Test
    void select_rule_tellsAllThatAnAnswerNeeds() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d/e
                descriptors:
                  - key: path
                    value: /a%
                    descriptors:
                      - key: user
                        shadow_mode: true
                        metadata: { team: x, tier: 2, on: yes, none: ~, list: [1.5, "2"], deep: { a: b } }
                        rate_limit: { unit: minute, requests_per_unit: 10, name: per-user }
                """);
        EnvoyDescriptor descriptor = EnvoyDescriptor.of("path", "/a%", "user", "u");
        Counted counted = (Counted) rules.select("d/e", List.of(descriptor), 0).get(0);
        EnvoyRule rule = counted.rule();

        assertThat(rule.policy()).isEqualTo("d%2Fe/path=%2Fa%25/user");
        assertThat(rule.name()).isEqualTo("per-user");
        assertThat(rule.requestsPerUnit()).isEqualTo(10);
        assertThat(rule.isShadow()).isTrue();
        assertThat(rule.isQuota()).isFalse();
        assertThat(rule.isBlocking()).isFalse();
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        metadata.put("team", "x");
        metadata.put("tier", 2.0);
        metadata.put("on", true);
        metadata.put("none", null);
        metadata.put("list", List.of(1.5, "2"));
        metadata.put("deep", Map.of("a", "b"));
        assertThat(rule.metadata()).isEqualTo(metadata);
        assertThat(rule.metric(descriptor)).isEqualTo("d/e.path_/a%.user");
        assertThat(counted.charge().terms().policy()).isEqualTo(rule.policy());
        assertThat(counted.charge().key().counter()).isEqualTo("d%2Fe/path/user");
        assertThat(counted.charge().key().values()).containsExactly("/a%", "u");
        assertThat(counted.charge().terms().effect()).isEqualTo(Effect.OBSERVE);
    }

    @Test
    void metric_namesWhatThatServiceNames() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: plain, value: f*, rate_limit: &one { unit: hour, requests_per_unit: 1 } }
                  - { key: told, value: f*, value_to_metric: true, rate_limit: *one }
                  - { key: shared, value: f*, value_to_metric: true, share_threshold: true, rate_limit: *one }
                  - { key: alone, value_to_metric: true, rate_limit: *one }
                  - { key: detailed, detailed_metric: true, rate_limit: *one }
                  - key: both
                    value: f*
                    share_threshold: true
                    descriptors:
                      - { key: detailed, detailed_metric: true, rate_limit: *one }
                """);

        assertThat(metric(rules, "plain", "f1")).isEqualTo("d.plain_f*");
        assertThat(metric(rules, "told", "f1")).isEqualTo("d.told_f1");
        assertThat(metric(rules, "shared", "f1")).isEqualTo("d.shared_f*");
        assertThat(metric(rules, "alone", "v")).isEqualTo("d.alone_v");
        assertThat(metric(rules, "alone", "")).isEqualTo("d.alone");
        assertThat(metric(rules, "detailed", "v")).isEqualTo("d.detailed_v");
        assertThat(metric(rules, "detailed", "")).isEqualTo("d.detailed_");
        assertThat(metric(rules, "both", "f1", "detailed", "v")).isEqualTo("d.both_f*.detailed_v");
        assertThat(metric(rules, "both", "f1", "detailed", "")).isEqualTo("d.both_f*.detailed");
    }

    private static String metric(EnvoyRules rules, String... entries) {
        EnvoyDescriptor descriptor = EnvoyDescriptor.of(entries);
        return counted(rules, descriptor).rule().metric(descriptor);
    }

    @Test
    void select_unlimited_isToldApartFromNoRule() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: k, value: vip, rate_limit: { unlimited: true } }
                  - { key: k, value: odd, rate_limit: { unlimited: yes, unit: fortnight } }
                  - { key: k, rate_limit: { unit: hour, requests_per_unit: 1 } }
                """);

        assertThat(only(rules, EnvoyDescriptor.of("k", "vip"))).isInstanceOf(EnvoyMatch.Unlimited.class);
        assertThat(only(rules, EnvoyDescriptor.of("k", "odd"))).isInstanceOf(EnvoyMatch.Unlimited.class);
        assertThat(only(rules, EnvoyDescriptor.of("other", "vip"))).isEqualTo(new EnvoyMatch.None());
    }

    @Test
    void select_noRequestsPerUnit_blocksWhateverCosts() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: zero, rate_limit: { unit: hour, requests_per_unit: 0 } }
                  - { key: unsaid, rate_limit: { unit: hour } }
                """);

        assertThat(((Blocked) only(rules, EnvoyDescriptor.of("zero", "v"))).isOver())
                .isTrue();
        assertThat(((Blocked) only(rules, EnvoyDescriptor.of("unsaid", "v"))).isOver())
                .isTrue();
        assertThat(((Blocked) only(rules, EnvoyDescriptor.of("zero", "v").hitsAddend(0))).isOver())
                .isFalse();
        assertThat(((Blocked) only(rules, EnvoyDescriptor.of("x", "v").limit(0, EnvoyUnit.DAY))).isOver())
                .isTrue();
    }

    @Test
    void select_limitOfTheRequest_holdsInPlaceOfEveryRule() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - key: k
                    shadow_mode: true
                    quota_mode: true
                    rate_limit: { unit: minute, requests_per_unit: 10, name: n, replaces: [ { name: m } ] }
                """);
        EnvoyDescriptor descriptor = EnvoyDescriptor.of("k", "v");
        Counted own = counted(rules, descriptor.limit(3, EnvoyUnit.MINUTE));
        Counted elsewhere = counted(rules, EnvoyDescriptor.of("no", "rule").limit(3, EnvoyUnit.YEAR));

        assertThat(own.rule().requestsPerUnit()).isEqualTo(3);
        assertThat(own.rule().isShadow()).isFalse();
        assertThat(own.rule().isQuota()).isFalse();
        assertThat(own.rule().replaces()).isEmpty();
        assertThat(own.rule().metric(descriptor)).isEqualTo("d.k_v");
        assertThat(own.charge().terms().effect()).isEqualTo(Effect.DENY);
        assertThat(own.charge().key())
                .isEqualTo(counted(rules, descriptor).charge().key());
        assertThat(elsewhere.charge().limit().capacity()).isEqualTo(3);
    }

    @Test
    void select_hitsAddend_isTheDescriptorsThenTheRequestsThenOne() throws PolicyErrors {
        EnvoyRules rules = rules(LEVELS);
        EnvoyDescriptor silent = EnvoyDescriptor.of("a", "x");
        List<EnvoyDescriptor> all = List.of(silent, silent.hitsAddend(0), silent.hitsAddend(7));

        assertThat(costs(rules.select("d", all, 0))).containsExactly(1L, 0L, 7L);
        assertThat(costs(rules.select("d", all, 5))).containsExactly(5L, 0L, 7L);
    }

    private static List<Long> costs(List<EnvoyMatch> matches) {
        return matches.stream().map(match -> ((Counted) match).charge().cost()).toList();
    }

    @Test
    void select_replaces_dropsTheNamedRulesOfTheRequest() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: a, rate_limit: { unit: hour, requests_per_unit: 1, name: one } }
                  - { key: b, rate_limit: { unit: hour, requests_per_unit: 2, name: two, replaces: [ { name: one } ] } }
                  - { key: c, rate_limit: { unit: hour, requests_per_unit: 3, name: three, replaces: [ { name: two } ] } }
                  - { key: e, rate_limit: { unlimited: true, name: four, replaces: [ { name: three } ] } }
                  - { key: f, rate_limit: { unit: hour, requests_per_unit: 5, replaces: [ { name: four }, { name: one } ] } }
                  - { key: g, rate_limit: { unit: hour, requests_per_unit: 6 } }
                """);

        assertThat(kinds(rules, "a")).containsExactly("Counted");
        assertThat(kinds(rules, "a", "b", "g")).containsExactly("None", "Counted", "Counted");
        assertThat(kinds(rules, "b", "a", "a")).containsExactly("Counted", "None", "None");
        // a replaced rule replaces too; one that is unlimited cannot be replaced
        assertThat(kinds(rules, "a", "b", "c")).containsExactly("None", "None", "Counted");
        assertThat(kinds(rules, "c", "e", "f")).containsExactly("None", "Unlimited", "Counted");
    }

    private static List<String> kinds(EnvoyRules rules, String... keys) {
        List<EnvoyDescriptor> descriptors =
                Arrays.stream(keys).map(key -> EnvoyDescriptor.of(key, "v")).toList();
        return rules.select("d", descriptors, 0).stream()
                .map(match -> match.getClass().getSimpleName())
                .toList();
    }

    @Test
    void select_quotas_denyAsOneGroupAndAreObservedAsSeveral() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: q, quota_mode: true, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - { key: plain, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - key: backend_name
                    quota_mode: true
                    rate_limit: { unit: hour, requests_per_unit: 1 }
                    descriptors:
                      - { key: tenant, quota_mode: true, rate_limit: { unit: hour, requests_per_unit: 1 } }
                """);
        EnvoyDescriptor q = EnvoyDescriptor.of("q", "1");
        EnvoyDescriptor plain = EnvoyDescriptor.of("plain", "1");
        EnvoyDescriptor backend = EnvoyDescriptor.of("backend_name", "b");
        EnvoyDescriptor tenant = EnvoyDescriptor.of("backend_name", "b", "tenant", "t");

        assertThat(effects(rules, q, plain)).containsExactly(Effect.DENY, Effect.DENY);
        assertThat(effects(rules, backend, tenant)).containsExactly(Effect.DENY, Effect.DENY);
        assertThat(effects(rules, q, plain, backend)).containsExactly(Effect.OBSERVE, Effect.DENY, Effect.OBSERVE);
        assertThat(counted(rules, q).rule().isQuota()).isTrue();
        assertThat(tenant.quotaGroup()).isEqualTo(backend.quotaGroup()).isNotEqualTo(q.quotaGroup());
    }

    private static List<Effect> effects(EnvoyRules rules, EnvoyDescriptor... descriptors) {
        return rules.select("d", List.of(descriptors), 0).stream()
                .map(match -> ((Counted) match).charge().terms().effect())
                .toList();
    }

    @Test
    void select_badRequest_isRefused() throws PolicyErrors {
        EnvoyRules rules = rules(LEVELS);
        List<EnvoyDescriptor> one = List.of(EnvoyDescriptor.of("a", "x"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> rules.select("", one, 0))
                .withMessage("domain: \"\" (expected: a text that is not empty)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rules.select("d", List.of(), 0))
                .withMessage("descriptors: [] (expected: at least one)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rules.select("d", one, -1))
                .withMessage("hits_addend: -1 (expected: >= 0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.get(0).hitsAddend(1L << 53))
                .withMessage("hits_addend: 9007199254740992 (expected: <= 4503599627370496)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.get(0).limit(1L << 32, EnvoyUnit.DAY))
                .withMessage("limit.requests_per_unit: 4294967296 (expected: <= 4294967295)");
    }

    @Test
    void load_mergedDomain_hasTheDescriptorsOfAllFilesInTheirOrder(@TempDir Path directory) throws Exception {
        write(directory.resolve("1.yaml"), "d", "fo*", 1);
        write(directory.resolve("2.yml"), "e", "v", 3);
        write(directory.resolve("3.yaml"), "d", "f*", 2);
        write(directory.resolve("notes.txt"), "d", "f*", 2);
        EnvoyRules rules = EnvoyRules.loader().sameDomain(SameDomain.MERGED).load(List.of(directory));

        assertThat(rules.domains()).containsExactlyInAnyOrder("d", "e");
        assertThat(limit(rules, "k", "foo")).isEqualTo(1);
        assertThat(limit(rules, "k", "far")).isEqualTo(2);
    }

    private static void write(Path file, String domain, String value, int requests) throws IOException {
        String limit = "{ unit: hour, requests_per_unit: " + requests + " }";
        Files.writeString(
                file,
                "{ domain: " + domain + ", descriptors: [ { key: k, value: " + value + ", rate_limit: " + limit
                        + " } ] }");
    }

    @Test
    void load_noSuchFile_isToldByName(@TempDir Path directory) {
        assertThatExceptionOfType(PolicyErrors.class)
                .isThrownBy(() -> EnvoyRules.load(directory.resolve("none.yaml")))
                .withMessage(directory.resolve("none.yaml") + ": no such file");
    }

    @Test
    void parse_linesOfWindows_areLines() throws PolicyErrors {
        assertThat(limit(rules(LEVELS.replace("\n", "\r\n")), "a", "x", "b", "y"))
                .isEqualTo(3);
    }

    @Test
    void parse_aliasesAndMergeKeys_areFollowed() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - key: a
                    rate_limit: &usual { unit: hour, requests_per_unit: 1 }
                  - key: b
                    rate_limit: *usual
                  - key: c
                    rate_limit: { <<: *usual, requests_per_unit: 2 }
                  - key: e
                    rate_limit: { requests_per_unit: 3, <<: [ *usual ] }
                """);

        assertThat(limit(rules, "b", "v")).isEqualTo(1);
        assertThat(limit(rules, "c", "v")).isEqualTo(2);
        assertThat(limit(rules, "e", "v")).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"10, 10", "1_000, 1000", "0x10, 16", "010, 8", "0o10, 8", "0b101, 5", "+7, 7"})
    void parse_requestsPerUnit_isReadAsThere(String written, long expected) throws PolicyErrors {
        EnvoyRules rules = rules("{ domain: d, descriptors: [ { key: k, rate_limit: { unit: hour, requests_per_unit: "
                + written + " } } ] }");

        assertThat(limit(rules, "k", "v")).isEqualTo(expected);
    }

    @Test
    void parse_wordInAPlaceWithoutMeaning_isPassedOverAndTold() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - key: k
                    rate_limit: { unit: hour, requests_per_unit: 1, shadow_mode: true }
                """);

        assertThat(counted(rules, EnvoyDescriptor.of("k", "v")).rule().isShadow())
                .isFalse();
        assertThat(rules.ignored())
                .extracting(Object::toString)
                .containsExactly("rules.yaml:4:66 descriptors[0].rate_limit.shadow_mode: has no meaning here "
                        + "(expected: one of unit, requests_per_unit, unlimited, name, replaces)");
    }

    @Test
    void version_hashIsOfTheContents() throws PolicyErrors {
        String other = LEVELS.replace("requests_per_unit: 5", "requests_per_unit: 6");
        EnvoyRules rules = EnvoyRules.loader().number(7).parse("renamed.yaml", LEVELS);

        assertThat(rules.version().number()).isEqualTo(7);
        assertThat(rules.version().hash())
                .isEqualTo(rules(LEVELS).version().hash())
                .isNotEqualTo(rules(other).version().hash());
        assertThat(counted(rules, EnvoyDescriptor.of("a", "x")).charge().terms().version())
                .isEqualTo(rules.version());
        assertThat(counted(rules, EnvoyDescriptor.of("a", "x").limit(1, EnvoyUnit.DAY))
                        .charge()
                        .terms()
                        .version())
                .isEqualTo(rules.version());
    }
}
