package dev.penstock.policy.internal.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Request;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.address.IpRanges;
import dev.penstock.testkit.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares the index with evaluating every match. */
class MatchIndexTest {
    private static final KeyedHash HASH = new KeyedHash(new byte[KeyedHash.SHORTEST_KEY]);
    private static final int INDEXES = 400;
    private static final int SUBJECTS = 40;

    @Test
    void find_randomMatches_findsExactlyThoseThatHold() {
        RandomMatches random = new RandomMatches(new SplittableRandom(TestSeed.printed("random matches")));
        int held = 0;
        for (int i = 0; i < INDEXES; i++) {
            List<Match> matches = random.matches();
            MatchIndex index = new MatchIndex(matches);
            for (int j = 0; j < SUBJECTS; j++) {
                Subject subject = random.subject();
                List<Integer> wanted = IntStream.range(0, matches.size())
                        .filter(number -> matches.get(number).holds(subject))
                        .boxed()
                        .toList();
                List<Integer> found = new ArrayList<>();
                index.find(subject, found::add);
                assertThat(found)
                        .as(() -> subject.request().attributes() + " of " + conditions(matches))
                        .containsExactlyInAnyOrderElementsOf(wanted);
                held += wanted.size();
            }
        }
        assertThat(held).isGreaterThan(INDEXES * SUBJECTS);
    }

    /**
     * The index evaluates only the one match whose value, range or route the request has, for any number of matches.
     */
    @Test
    void candidates_amongThousandsOfOneKind_isOnlyOne() {
        assertOneCandidate(i -> new Condition.OneOf("user", Set.of("user-" + i)), "user", "user-77");
        assertOneCandidate(i -> new Condition.Prefix("key", List.of("key_" + i + "_")), "key", "key_77_abc");
        assertOneCandidate(i -> onRoute("/api/" + i + "/{id}"), "route", "/api/77/1");
        assertOneCandidate(i -> inRange("10." + i / 256 + "." + i % 256 + ".0/24"), "ip", "10.0.77.1");
        assertOneCandidate(i -> inRange("2001:db8:" + i + "::/48"), "ip", "2001:db8:77::1");
        assertOneCandidate(
                i -> new Condition.Host("host", Set.of(), List.of(".c" + i + ".test")), "host", "a.c77.test");
        assertOneCandidate(i -> new Condition.Hashed("key", Set.of(HASH.of("key-" + i)), HASH), "key", "key-77");
    }

    private static void assertOneCandidate(IntFunction<Condition> condition, String attribute, String value) {
        MatchIndex index = new MatchIndex(IntStream.range(0, 3_000)
                .mapToObj(i -> new Match(List.of(condition.apply(i), new Condition.Present(attribute))))
                .toList());
        List<Integer> candidates = new ArrayList<>();
        index.candidates(new Subject(Request.of(attribute, value)), candidates::add);

        assertThat(candidates).as(attribute).containsExactly(77);
    }

    private static Condition onRoute(String pattern) {
        return new Condition.OnRoute(List.of(RandomMatches.parsed(() -> RoutePattern.parse(pattern))));
    }

    private static Condition inRange(String range) {
        IpRanges ranges = new IpRanges(List.of(RandomMatches.parsed(() -> IpRanges.Range.parse(range))));
        return new Condition.InRange(AttributeNames.IP, ranges, List.of(range));
    }

    private static List<List<Condition>> conditions(List<Match> matches) {
        return matches.stream().map(Match::conditions).toList();
    }
}
