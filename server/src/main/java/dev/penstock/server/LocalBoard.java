package dev.penstock.server;

import dev.penstock.Clock;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Board;
import dev.penstock.spi.Done;
import dev.penstock.spi.StoreRefused;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The board of a node that is alone: in its memory. */
final class LocalBoard implements Board {
    private record Written(String text, long untilMicros) {}

    private final Clock clock;

    /** Guarded by this. */
    private final Map<String, Written> notes = new HashMap<>();

    LocalBoard(Clock clock) {
        this.clock = clock;
    }

    @Override
    public synchronized CompletionStage<Done> post(Note note) {
        long lifeMicros = Expect.micros(note.left(), LONGEST_LIFE, "left");
        List<Note> before = present();
        if (before.size() >= MOST && !notes.containsKey(note.name())) {
            return CompletableFuture.failedStage(
                    new StoreRefused("the board is full (expected: at most " + MOST + " notes)"));
        }
        notes.put(note.name(), new Written(note.text(), clock.micros() + lifeMicros));
        return Done.DONE.whenReady();
    }

    @Override
    public synchronized CompletionStage<Done> remove(String name) {
        notes.remove(Expect.text(name, "name"));
        return Done.DONE.whenReady();
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
