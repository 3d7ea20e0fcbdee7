package dev.penstock.server;

import dev.penstock.Clock;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Completion;
import dev.penstock.spi.SharedNotes;
import dev.penstock.spi.StoreRefused;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The notes of a node without a shared store, kept in memory. */
final class LocalNotes implements SharedNotes {
    private record Written(String text, long untilMicros) {}

    private final Clock clock;

    /** Guarded by this. */
    private final Map<String, Written> notes = new HashMap<>();

    LocalNotes(Clock clock) {
        this.clock = clock;
    }

    @Override
    public synchronized CompletionStage<Completion> post(Note note) {
        long lifeMicros = Expect.micros(note.left(), LONGEST_LIFE, "left");
        List<Note> before = present();
        if (before.size() >= MOST && !notes.containsKey(note.name())) {
            return CompletableFuture.failedStage(
                    new StoreRefused("too many notes (expected: at most " + MOST + " notes)"));
        }
        notes.put(note.name(), new Written(note.text(), clock.micros() + lifeMicros));
        return Completion.DONE.whenReady();
    }

    @Override
    public synchronized CompletionStage<Completion> remove(String name) {
        notes.remove(Expect.text(name, "name"));
        return Completion.DONE.whenReady();
    }

    @Override
    public synchronized CompletionStage<List<Note>> read() {
        return CompletableFuture.completedStage(present());
    }

    private List<Note> present() {
        long now = clock.micros();
        notes.values().removeIf(written -> written.untilMicros <= now);
        return notes.entrySet().stream()
                .map(each -> new Note(
                        each.getKey(),
                        each.getValue().text,
                        Duration.of(each.getValue().untilMicros - now, ChronoUnit.MICROS)))
                .toList();
    }
}
