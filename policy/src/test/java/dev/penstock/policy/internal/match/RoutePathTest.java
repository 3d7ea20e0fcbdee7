package dev.penstock.policy.internal.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.TestSeed;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutePathTest {
    private static final int PATHS = 50_000;
    private static final List<String> PIECES = List.of(
            "/", "/", "/", "a", "b", ".", "..", "%", "%2", "%61", "%2e", "%2E", "%2f", "%5C", "%25", "25", "61", "%3f",
            "%23", "%3B", "?", "#", ";", "\\", "%C3%A9", "é", "%ff", "%00", " ");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/orders            | /api/orders",
                "''                     | /",
                "/                      | /",
                "//                     | /",
                "/api/orders/           | /api/orders",
                "api/orders             | /api/orders",
                "//api///orders//       | /api/orders",
                "/api/./orders/.        | /api/orders",
                "/api/x/../orders       | /api/orders",
                "/../../api             | /api",
                "/api/..                | /",
                "/api/...               | /api/...",
                "/api/.well-known       | /api/.well-known",
                "/api?x=/../y           | /api",
                "/api#x                 | /api",
                "/?x                    | /",
                "/%61pi                 | /api",
                "/api/%2e%2E/orders     | /orders",
                "/api/x/%2e./orders     | /api/orders",
                "/api;v=1/orders;x      | /api/orders",
                "/api/..;/orders        | /orders",
                "\\api\\orders          | /api/orders",
                "/caf%C3%A9             | /café",
                "/API                   | /API",
                "/a%2fb                 | /a%2Fb",
                "/a%5cb                 | /a%5Cb",
                "/a%3fb%23c%3bd         | /a%3Fb%23c%3Bd",
                "/100%                  | /100%25",
                "/100%25                | /100%25",
                "/%2561                 | /%2561",
                "/%%36%31               | /%2561",
                "/%zz                   | /%25zz",
            })
    void inOrder_spellingsOfOnePath_becomeTheSame(String path, String inOrder) {
        assertThat(RoutePath.inOrder(path)).isEqualTo(inOrder);
    }

    /** Normalizing is idempotent: a path that was normalized before stays the same. */
    @Test
    void inOrder_randomPaths_changesNothingTheSecondTime() {
        SplittableRandom random = new SplittableRandom(TestSeed.printed("random paths"));
        for (int i = 0; i < PATHS; i++) {
            StringBuilder path = new StringBuilder();
            int pieces = random.nextInt(10);
            for (int j = 0; j < pieces; j++) {
                path.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            String once = RoutePath.inOrder(path.toString());
            assertThat(RoutePath.inOrder(once)).as(path.toString()).isEqualTo(once);
            assertThat(once)
                    .as(path.toString())
                    .startsWith("/")
                    .doesNotContain("//", "/./", "/../", "?", "#", ";", "\\")
                    .doesNotEndWith("/.")
                    .doesNotEndWith("/..");
        }
    }
}
