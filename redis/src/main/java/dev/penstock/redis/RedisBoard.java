package dev.penstock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.internal.Expect;
import dev.penstock.spi.Board;
import dev.penstock.spi.StoreRefused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A board in Redis: one hash, of which a script leaves out what no longer counts. */
final class RedisBoard implements Board {
    private static final String NO_NAME = "";

    private final String key;
    private final ScriptRunner script;

    RedisBoard(String key, ScriptRunner script) {
        this.key = key;
        this.script = script;
    }

    @Override
    public CompletionStage<List<Note>> post(Note note) {
        Expect.micros(Expect.present(note, "note").left(), LONGEST_LIFE, "left");
        return run(note.name(), Math.max(1, note.left().toMillis()), note.text());
    }

    @Override
    public CompletionStage<List<Note>> remove(String name) {
        return run(Expect.text(name, "name"), 0, "");
    }

    @Override
    public CompletionStage<List<Note>> read() {
        return run(NO_NAME, 0, "");
    }

    private CompletionStage<List<Note>> run(String name, long lifeMillis, String text) {
        List<String> arguments = List.of(Integer.toString(MOST), name, Long.toString(lifeMillis), text);
        return script.run(List.of(key), (from, to) -> arguments).thenApply(RedisBoard::notes);
    }

    private static List<Note> notes(List<Object> reply) {
        if (reply.size() == 1) {
            throw new StoreRefused("the board is full (expected: at most " + MOST + " notes)");
        }
        List<Note> notes = new ArrayList<>();
        for (int i = 0; i < reply.size(); i += 3) {
            notes.add(new Note(text(reply.get(i)), text(reply.get(i + 2)), Duration.ofMillis((Long) reply.get(i + 1))));
        }
        return notes;
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, UTF_8);
    }
}
