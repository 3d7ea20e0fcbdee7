package dev.penstock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.Clock;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Completion;
import dev.penstock.spi.SharedNotes;
import dev.penstock.spi.StoreRefused;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Notes in one Redis hash. A script leaves out the notes that have expired. Writing does not read the hash. Reading
 * copies it only if its version has changed, or after ten seconds, because nodes of earlier builds write without
 * changing the version. Thread-safe.
 */
final class RedisNotes implements SharedNotes {
    private static final long BELIEVED_MICROS = 10_000_000;

    /** The notes as last read, and the time of that by this node's clock. */
    private record Known(String version, List<Note> notes, long readMicros) {}

    private final List<String> keys;
    private final ScriptRunner script;
    private final Clock clock;
    private volatile Known known = new Known("", List.of(), 0);

    RedisNotes(String key, ScriptRunner script, Clock clock) {
        this.keys = List.of(key, key + ":version");
        this.script = script;
        this.clock = clock;
    }

    @Override
    public CompletionStage<Completion> post(Note note) {
        Expect.micros(Expect.present(note, "note").left(), LONGEST_LIFE, "left");
        String lifeMillis = Long.toString(Math.max(1, note.left().toMillis()));
        return run("post", note.name(), lifeMillis, note.text(), Integer.toString(MOST))
                .thenApply(reply -> {
                    if ((Long) reply.get(0) == 0) {
                        throw new StoreRefused("too many notes (expected: at most " + MOST + " notes)");
                    }
                    return Completion.DONE;
                });
    }

    @Override
    public CompletionStage<Completion> remove(String name) {
        return run("remove", Expect.text(name, "name")).thenApply(reply -> Completion.DONE);
    }

    @Override
    public CompletionStage<List<Note>> read() {
        Known before = known;
        long now = clock.micros();
        long age = now - before.readMicros;
        boolean isBelieved = age >= 0 && age < BELIEVED_MICROS;
        return run("read", isBelieved ? before.version : "").thenApply(reply -> {
            String version = text(reply.get(0));
            if (isBelieved && reply.size() == 1 && version.equals(before.version)) {
                return later(before.notes, clock.micros() - before.readMicros);
            }
            Known read = new Known(version, notes(reply), now);
            known = read;
            return read.notes;
        });
    }

    private CompletionStage<List<Object>> run(String... arguments) {
        List<String> sent = List.of(arguments);
        return script.run(keys, sent);
    }

    private static List<Note> notes(List<Object> reply) {
        List<Note> notes = new ArrayList<>();
        for (int i = 1; i < reply.size(); i += 3) {
            notes.add(new Note(text(reply.get(i)), text(reply.get(i + 2)), Duration.ofMillis((Long) reply.get(i + 1))));
        }
        return notes;
    }

    /** Returns the notes that have not expired after this time. */
    private static List<Note> later(List<Note> notes, long micros) {
        Duration passed = Duration.of(Math.max(0, micros), ChronoUnit.MICROS);
        return notes.stream()
                .filter(note -> note.left().compareTo(passed) > 0)
                .map(note -> new Note(note.name(), note.text(), note.left().minus(passed)))
                .toList();
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, UTF_8);
    }
}
