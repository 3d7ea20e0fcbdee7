package dev.penstock.spi;

import dev.penstock.internal.Expect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Short texts that the nodes of a {@link Fleet} share, each under a name and for a limited time.
 *
 * <p>Implementations are thread-safe, and no call blocks. A stage fails if the store does not answer. In that case, the
 * call may or may not have taken effect.
 */
public interface SharedNotes {
    /** Maximum number of notes. */
    int MOST = 1_000;

    /** Maximum length of a name, in characters. */
    int LONGEST_NAME = 512;

    /** Maximum length of a text, in characters. */
    int LONGEST_TEXT = 65_536;

    /** Maximum lifetime of a note. */
    Duration LONGEST_LIFE = Duration.ofDays(366);

    /**
     * A text with its name and remaining lifetime.
     *
     * @param name the name of the note
     * @param text the text of the note
     * @param left how long until the note expires, by the store's clock
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

    /**
     * Writes a note, which replaces a note with the same name. Fails with {@link StoreRefused} if there are too many
     * notes.
     */
    CompletionStage<Completion> post(Note note);

    /** Removes the note with this name. */
    CompletionStage<Completion> remove(String name);

    /**
     * Returns all current notes. The call is cheap if nothing has been written since the last call on this object, so
     * it may be called often.
     */
    CompletionStage<List<Note>> read();
}
