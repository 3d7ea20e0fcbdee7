package dev.penstock.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Limiter;
import dev.penstock.Request;
import dev.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyWatchTest {
    private final List<String> events = new ArrayList<>();
    private final ManualClock clock = new ManualClock();

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        clock.set(Instant.parse("2100-01-01T00:00:00Z")); // the files look long unchanged
        file = directory.resolve("policies.yaml");
        Files.writeString(file, policy("one", 1));
    }

    private static String policy(String name, int count) {
        return "version: 1\npolicies: [ { name: " + name + ", limits: [ { key: [user], token_bucket: " + count
                + "/h } ] } ]\n";
    }

    private PolicyWatch.Builder watch(Path path) {
        return PolicyWatch.of(path).clock(clock).listener(new PolicyListener() {
            @Override
            public void onLoaded(Policies policies) {
                events.add("loaded " + policies.version().number());
            }

            @Override
            public void onRecovered(Policies policies) {
                events.add("recovered " + policies.version().number());
            }

            @Override
            public void onRejected(PolicyFailure failure) {
                events.add("rejected " + failure.errors().size());
            }
        });
    }

    private static String policyOf(PolicyWatch watch) {
        return watch.match(Request.of("user", "ann")).charge(0).settings().policy();
    }

    @Test
    void change_isLoadedOnceTwoPollsAgree() throws Exception {
        try (PolicyWatch watch = watch(file).still()) {
            Files.writeString(file, policy("second", 1));
            watch.look();
            assertThat(policyOf(watch)).isEqualTo("one");
            Files.writeString(file, policy("the-third", 1));
            watch.look();
            assertThat(policyOf(watch)).isEqualTo("one");
            watch.look();

            assertThat(policyOf(watch)).isEqualTo("the-third");
            assertThat(watch.version().number()).isEqualTo(2);
            assertThat(watch.match(Request.of("user", "ann"))
                            .charge(0)
                            .settings()
                            .version())
                    .isEqualTo(watch.version());
            assertThat(events).containsExactly("loaded 2");
        }
    }

    @Test
    void brokenFile_changesNothing_andStaysVisible() throws Exception {
        try (PolicyWatch watch = watch(file).still()) {
            Files.writeString(file, "version: 1\npolicies: [ { nme: x, limits: 7 } ]\n");
            for (int i = 0; i < 5; i++) {
                watch.look();
            }
            assertThat(policyOf(watch)).isEqualTo("one");
            assertThat(watch.version().number()).isEqualTo(1);
            PolicyFailure failure = watch.failure();
            assertThat(failure).isNotNull();
            assertThat(failure.errors()).hasSize(3);
            assertThat(failure.at()).isEqualTo(clock.now());
            assertThat(events).containsExactly("rejected 3");

            Files.writeString(file, policy("one", 1));
            watch.look();
            watch.look();
            assertThat(watch.failure()).isNull();
            assertThat(watch.version().number()).as("the same contents").isEqualTo(1);
            assertThat(events).containsExactly("rejected 3", "recovered 1");
        }
    }

    @Test
    void vanishedFile_changesNothing() throws Exception {
        try (PolicyWatch watch = watch(file).still()) {
            Files.delete(file);
            watch.look();
            watch.look();
            assertThat(policyOf(watch)).isEqualTo("one");
            assertThat(watch.failure().errors()).singleElement().asString().contains("no such file");
        }
    }

    @Test
    void directory_isLoadedAsAWhole() throws Exception {
        try (PolicyWatch watch = watch(directory).still()) {
            Files.writeString(directory.resolve("more.yaml"), policy("two", 5));
            Files.writeString(directory.resolve("ignored.txt"), "no policy");
            watch.look();
            watch.look();
            assertThat(watch.match(Request.of("user", "ann")).size()).isEqualTo(2);

            Files.delete(directory.resolve("more.yaml"));
            watch.look();
            watch.look();
            assertThat(watch.match(Request.of("user", "ann")).size()).isEqualTo(1);
            assertThat(events).containsExactly("loaded 2", "loaded 3");
        }
    }

    /** Swaps the link to the data directory, as Kubernetes does for a mounted ConfigMap. */
    @Test
    void swappedLink_isDetected() throws Exception {
        Path volume = Files.createDirectory(directory.resolve("volume"));
        Path old = Files.createDirectory(volume.resolve("..2026_01"));
        Path next = Files.createDirectory(volume.resolve("..2026_02"));
        Files.writeString(old.resolve("policies.yaml"), policy("one", 1));
        Files.writeString(next.resolve("policies.yaml"), policy("two", 1));
        Files.setLastModifiedTime(
                next.resolve("policies.yaml"), Files.getLastModifiedTime(old.resolve("policies.yaml")));
        Path data = Files.createSymbolicLink(volume.resolve("..data"), old.getFileName());
        Files.createSymbolicLink(volume.resolve("policies.yaml"), Path.of("..data/policies.yaml"));
        try (PolicyWatch watch = watch(volume).still()) {
            assertThat(policyOf(watch)).isEqualTo("one");
            Path link = Files.createSymbolicLink(volume.resolve("..data_tmp"), next.getFileName());
            Files.move(link, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            watch.look();
            watch.look();
            assertThat(policyOf(watch)).isEqualTo("two");
        }
    }

    @Test
    void changeWithoutAMark_isDetectedWhileTheFileIsRecent() throws Exception {
        FileTime when = Files.getLastModifiedTime(file);
        clock.set(when.toInstant().plusMillis(900));
        try (PolicyWatch watch = watch(file).still()) {
            changeUnmarked(watch, when);
        }
    }

    @Test
    void fileThatKeepsChanging_isLoadedAnyway() throws Exception {
        try (PolicyWatch watch = watch(file).still()) {
            for (int i = 0; i < 6; i++) {
                Files.writeString(file, policy("changed-" + "x".repeat(i), 1));
                watch.look();
            }
            assertThat(policyOf(watch)).startsWith("changed-");
        }
    }

    @Test
    void contentsWithTheSameSizeAndTime_areDetected() throws Exception {
        try (PolicyWatch watch = watch(file).still()) {
            FileTime when = Files.getLastModifiedTime(file);
            changeUnmarked(watch, when);
        }
    }

    /** Replaces the contents without changing the size and the time, and expects the change to be found. */
    private void changeUnmarked(PolicyWatch watch, FileTime when) throws IOException {
        Files.writeString(file, policy("two", 1));
        Files.setLastModifiedTime(file, when);
        watch.look();
        watch.look();
        assertThat(policyOf(watch)).isEqualTo("two");
    }

    @Test
    void failures_areKeptNewestFirst_alsoAfterAGoodChange() throws Exception {
        try (PolicyWatch watch = watch(file).still()) {
            assertThat(watch.failures()).isEmpty();
            for (int i = 1; i <= 25; i++) {
                Files.writeString(file, "version: 1\n" + "#\n".repeat(i) + "policies: 5\n");
                clock.advance(Duration.ofSeconds(1));
                watch.reload();
                watch.reload();
            }
            assertThat(watch.failures()).hasSize(20).first().isEqualTo(watch.failure());
            Files.writeString(file, policy("two", 1));
            watch.reload();

            assertThat(watch.failure()).isNull();
            assertThat(watch.failures())
                    .extracting(each -> each.errors().get(0).line())
                    .startsWith(27, 26, 25);
            assertThat(watch.failures().get(0).at()).isEqualTo(clock.now());
        }
    }

    @Test
    void secretThatAppearsLater_isFound() throws Exception {
        Path secret = directory.resolve("secret.txt");
        try (PolicyWatch watch = watch(file).still()) {
            Files.writeString(file, "hash_key: { file: " + secret + " }\n" + policy("two", 1));
            watch.look();
            watch.look();
            watch.look();
            assertThat(watch.failure()).isNotNull();
            Files.writeString(secret, "a key of more than sixteen bytes");
            watch.look();
            watch.look();
            assertThat(watch.failure()).isNull();
            assertThat(policyOf(watch)).isEqualTo("two");
            assertThat(events).containsExactly("rejected 1", "loaded 2");
        }
    }

    @Test
    void anotherPeriodOrUnit_startsAnew_evenWithTheSameId() throws Exception {
        for (String name : List.of("id: x", "counter: x")) {
            Files.writeString(file, policy("one", 1).replace("/h", "/h, " + name));
            try (PolicyWatch watch = watch(file).still();
                    Limiter limiter = Limiter.builder(watch).clock(clock).build()) {
                Request ann = Request.of("user", "ann");
                assertThat(limiter.decide(ann).isAllowed()).isTrue();
                assertThat(limiter.decide(ann).isAllowed()).isFalse();
                Files.writeString(file, policy("one", 1).replace("/h", "/d, " + name));
                watch.reload();
                assertThat(limiter.decide(ann).isAllowed()).isTrue();
                Files.writeString(file, policy("one", 1).replace("/h", "/d, unit: calls, cost: 1, " + name));
                watch.reload();
                assertThat(limiter.decide(ann).isAllowed()).isTrue();
                assertThat(limiter.decide(ann).isAllowed()).isFalse();
            }
        }
    }

    @Test
    void brokenAtTheStart_isRefused() throws Exception {
        Files.writeString(file, "version: 2\n");

        assertThatThrownBy(() -> watch(file).still())
                .isInstanceOf(PolicyErrors.class)
                .hasMessageContaining("version: 2 (expected: 1, the only version)");
    }

    @Test
    void started_pollsOnItsOwn() throws Exception {
        try (PolicyWatch watch = watch(file).start()) {
            Files.writeString(file, policy("two", 1));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> policyOf(watch).equals("two"));
        }
    }

    @Test
    void changedNumbers_keepWhatWasUsed() throws Exception {
        Files.writeString(file, policy("one", 10));
        try (PolicyWatch watch = watch(file).still();
                Limiter limiter = Limiter.builder(watch).clock(clock).build()) {
            Request ann = Request.of("user", "ann");
            for (int i = 0; i < 10; i++) {
                assertThat(limiter.decide(ann).isAllowed()).isTrue();
            }
            assertThat(limiter.decide(ann).isAllowed()).isFalse();

            Files.writeString(file, policy("one", 12));
            watch.reload();
            assertThat(limiter.decide(ann).isAllowed()).as("raised by two").isTrue();
            assertThat(limiter.decide(ann).isAllowed()).isTrue();
            assertThat(limiter.decide(ann).isAllowed()).isFalse();
            assertThat(limiter.decide(ann).policyVersion()).isEqualTo(watch.version());

            Files.writeString(file, policy("one", 5));
            watch.reload();
            assertThat(limiter.decide(ann).isAllowed()).isFalse();

            Files.writeString(file, policy("one", 12).replace("/h", "/d"));
            watch.reload();
            assertThat(limiter.decide(ann).isAllowed())
                    .as("another period starts anew")
                    .isTrue();
        }
    }
}
