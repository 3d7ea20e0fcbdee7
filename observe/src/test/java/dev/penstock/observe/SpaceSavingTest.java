package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.Key;
import dev.penstock.testkit.TestSeed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SpaceSavingTest {
    private final SpaceSaving summary = new SpaceSaving(4);

    private static Key key(int number) {
        return Key.of("users", "user-" + number);
    }

    private List<TopKey> top(int most) {
        Ranking ranking = new Ranking();
        ranking.add(summary);
        return ranking.top(most).topKeys();
    }

    @Test
    void fewKeys_areCountedExactly() {
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k <= i; k++) {
                see(summary, key(i));
            }
        }

        assertThat(summary.all()).isEqualTo(10);
        assertThat(summary.least()).isEqualTo(1);
        assertThat(top(2)).containsExactly(new TopKey(key(3), 4, 0), new TopKey(key(2), 3, 0));
    }

    @Test
    void newKey_replacesTheSmallestAndInheritsItsCount() {
        for (int i = 0; i < 4; i++) {
            see(summary, key(i));
            see(summary, key(i));
        }
        see(summary, key(9));

        assertThat(top(1)).containsExactly(new TopKey(key(9), 3, 2));
    }

    /** Uses streams in which a few keys have a large share, and others in which all keys are equally frequent. */
    @Test
    void counts_areNeverTooLow_andTooHighWithinTheBound() {
        SplittableRandom random = new SplittableRandom(TestSeed.printed("streams of keys"));
        for (int round = 0; round < 200; round++) {
            int capacity = 1 + random.nextInt(40);
            int keys = 1 + random.nextInt(200);
            double skew = random.nextDouble() * 3;
            SpaceSaving stream = new SpaceSaving(capacity);
            Map<Key, Long> exact = new HashMap<>();
            for (int i = 0; i < 3_000; i++) {
                Key key = key((int) (keys * Math.pow(random.nextDouble(), 1 + skew)));
                see(stream, key);
                exact.merge(key, 1L, Long::sum);
            }
            Map<Key, TopKey> kept = new HashMap<>();
            stream.forEach((key, count, over) -> kept.put(key, new TopKey(key, count, over)));

            assertThat(kept).hasSize(Math.min(capacity, exact.size()));
            assertThat(stream.least()).isLessThanOrEqualTo(stream.all() / capacity);
            exact.forEach((key, count) -> {
                TopKey topKey = kept.get(key);
                if (topKey == null) {
                    assertThat(count).isLessThanOrEqualTo(stream.least());
                } else {
                    assertThat(count).isBetween(topKey.atLeast(), topKey.count());
                    assertThat(topKey.over()).isLessThanOrEqualTo(stream.all() / capacity);
                }
            });
        }
    }

    @Test
    void severalStreams_areMerged_withinTheSumOfTheirBounds() {
        SplittableRandom random = new SplittableRandom(TestSeed.printed("streams of keys"));
        for (int round = 0; round < 100; round++) {
            Map<Key, Long> exact = new HashMap<>();
            Ranking ranking = new Ranking();
            long bound = 0;
            for (int part = 0; part < 4; part++) {
                SpaceSaving stream = new SpaceSaving(10);
                for (int i = 0; i < 500; i++) {
                    Key key = key((int) (60 * Math.pow(random.nextDouble(), 3)));
                    see(stream, key);
                    exact.merge(key, 1L, Long::sum);
                }
                bound += stream.all() / 10;
                ranking.add(stream);
            }
            for (TopKey topKey : ranking.top(100).topKeys()) {
                assertThat(exact.get(topKey.key())).isBetween(topKey.atLeast(), topKey.count());
                assertThat(topKey.over()).isLessThanOrEqualTo(bound);
            }
        }
    }

    private static void see(SpaceSaving stream, Key key) {
        stream.add(key, key.hashCode());
    }
}
