package dev.penstock.policy.internal.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutePatternTest {
    private static final int PATHS = 500;

    @ParameterizedTest
    @CsvSource({
        "/api/a, /api/{id}",
        "/api/a, /api/*",
        "/api/{id}, /api/**",
        "/api/a/**, /api/{id}/b",
        "/{x}/b, /{x}/**",
        "/api, /api/**",
        "/, /**",
        "/api/{id}, /api/{id}/**",
    })
    void compareTo_putsTheMoreSpecificFirst(String first, String second) {
        RoutePattern specific = RandomMatches.parsed(() -> RoutePattern.parse(first));
        RoutePattern general = RandomMatches.parsed(() -> RoutePattern.parse(second));

        assertThat(specific).isLessThan(general);
        assertThat(general).isGreaterThan(specific);
    }

    /** Any three patterns that match one path are totally ordered. */
    @Test
    void compareTo_patternsThatMatchOnePath_isATotalOrder() {
        SplittableRandom random = new SplittableRandom(TestSeed.printed("random patterns"));
        RandomMatches matches = new RandomMatches(random);
        int compared = 0;
        for (int i = 0; i < PATHS; i++) {
            String path = matches.path();
            List<RoutePattern> all = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                RoutePattern pattern = matches.pattern();
                if (pattern.matches(path)) {
                    all.add(pattern);
                }
            }
            for (RoutePattern a : all) {
                for (RoutePattern b : all) {
                    int order = Integer.signum(a.compareTo(b));
                    assertThat(Integer.signum(b.compareTo(a)))
                            .as("%s and %s", a, b)
                            .isEqualTo(-order);
                    assertThat(order == 0).as("%s and %s", a, b).isEqualTo(a.equals(b));
                    for (RoutePattern c : all) {
                        if (order <= 0 && b.compareTo(c) <= 0) {
                            assertThat(a).isLessThanOrEqualTo(c);
                            compared++;
                        }
                    }
                }
            }
        }
        assertThat(compared).isGreaterThan(PATHS);
    }
}
