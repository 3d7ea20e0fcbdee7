package dev.penstock.bench.soak;

import dev.penstock.bench.harness.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The policy file of a soak. It changes repeatedly, every third time to an invalid file. */
final class SoakPolicies {
    private static final int BAD_EVERY = 3;

    private final Path file;
    private int changes;

    SoakPolicies(Path directory) throws BenchFailure {
        this.file = directory.resolve("policies.yaml");
        write(text());
    }

    Path file() {
        return file;
    }

    /** Changes the file. Returns a description of the change. */
    String change() throws BenchFailure {
        changes++;
        boolean bad = changes % BAD_EVERY == 0;
        write(bad ? "version: 1\npolicies: [ { name: broken, limits: what } ]\n" : text());
        return bad ? "policies: broken" : "policies: changed";
    }

    private String text() {
        return """
                version: 1
                deny: [ { name: blocked, match: { user: mallory } } ]
                policies:
                  - { name: users, match: { kind: check }, limits: [ { key: [user], token_bucket: %d/s } ] }
                  - name: hot
                    match: { kind: check, user: hot }
                    consistency: leased
                    limits: [ { key: [user], sliding_window: 1000/min, id: window } ]
                  - { name: log, match: { kind: log }, limits: [ { key: [user], sliding_log: 20/min } ] }
                  - { name: jobs, match: { kind: job }, limits: [ { key: [user], concurrency: 5, ttl: 5s } ] }
                  - name: gate
                    match: { route: /soak/** }
                    on_store_failure: closed
                    limits: [ { key: [ip], fixed_window: 5000/min } ]
                """.formatted(5 + changes % 7);
    }

    private void write(String text) throws BenchFailure {
        try {
            Path next = Files.writeString(file.resolveSibling("policies.new"), text);
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new BenchFailure("the policies could not be written", e);
        }
    }
}
