package dev.penstock.spi;

import dev.penstock.internal.Expect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Short texts that the nodes of a {@link Fleet} share, each under a name and for a time: what an operator tells all of them, and
 * what they tell one another.
 *
 * <p>Implementations are thread-safe, and no call blocks. A stage fails where the store does not answer; nobody knows then whether
 * something was changed.
 */
public interface SharedNotes {
    /** How many there may be. */
    int MOST = 1_000;

    /** How long a name may be, and a text, in characters. */
    int LONGEST_NAME = 512;

    int LONGEST_TEXT = 65_536;

    Duration LONGEST_LIFE = Duration.ofDays(366);

    /**
     * What is written under a name.
     *
     * @param left how long it still counts, by the store's clock
     */
    record Note(String name, String text, Duration left) {
        public Note {
            Expect.text(name, "name");
            Expect.that(
                    name.length() <= LONGEST_NAME, "name", name.length() + " characters", "at most " + LONGEST_NAME);
            Expect.present(text, "text");
            Expect.that(
                    text.length() <= LONGEST_TEXT, "text", text.length() + " characters", "at most " + LONGEST_TEXT);
            Expect.present(left, "left");
        }
    }

    /** Writes a note, in the place of another of that name; fails by {@link StoreRefused} where the board is full. */
    CompletionStage<Completion> post(Note note);

    /** Takes a note away. */
    CompletionStage<Completion> remove(String name);

    /** All that count now. Cheap where nothing was written since it was last read through this object: it may be read often. */
    CompletionStage<List<Note>> read();
}
