package dev.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.SharedNotes;
import dev.penstock.spi.SharedNotes.Note;
import dev.penstock.spi.StoreRefused;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The contract of {@link SharedNotes}. Each test starts without notes. */
public abstract class SharedNotesContract {
    private static final Duration HOUR = Duration.ofHours(1);

    /** Returns the notes under test. */
    protected abstract SharedNotes board();

    /** Returns the same notes as another node sees them. */
    protected abstract SharedNotes ofAnotherNode();

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static List<String> told(List<Note> notes) {
        return notes.stream()
                .map(note -> note.name() + "=" + note.text())
                .sorted()
                .toList();
    }

    @Test
    void notes_areVisibleToAll_untilTheyAreRemoved() {
        assertThat(done(board().read())).isEmpty();

        done(board().post(new Note("b", "two words", HOUR)));
        done(board().post(new Note("a", "1", HOUR)));
        List<Note> all = done(board().read());

        assertThat(told(all)).containsExactly("a=1", "b=two words");
        assertThat(told(done(ofAnotherNode().read()))).containsExactly("a=1", "b=two words");
        assertThat(all)
                .allMatch(
                        note -> note.left().compareTo(HOUR) <= 0 && note.left().compareTo(HOUR.minusMinutes(1)) > 0);
        done(ofAnotherNode().remove("a"));
        assertThat(told(done(board().read()))).containsExactly("b=two words");
    }

    @Test
    void noteWithTheSameName_replacesTheOther() {
        done(board().post(new Note("a", "1", HOUR)));
        done(ofAnotherNode().post(new Note("a", "2", HOUR)));

        assertThat(told(done(board().read()))).containsExactly("a=2");
    }

    @Test
    void anyText_isKeptUnchanged() {
        String text = "é \"quoted\" \\ \n\u0000 €𝄞  ";
        done(board().post(new Note(" na me\n", text, HOUR)));

        assertThat(told(done(board().read()))).containsExactly(" na me\n=" + text);
        done(board().remove(" na me\n"));
        assertThat(done(board().read())).isEmpty();
    }

    @Test
    void expiredNote_isGone() {
        done(board().post(new Note("short", "", Duration.ofMillis(1))));
        done(board().post(new Note("long", "", HOUR)));

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(told(done(board().read()))).containsExactly("long="));
    }

    @Test
    void removingAMissingNote_changesNothing() {
        done(board().post(new Note("a", "1", HOUR)));

        done(board().remove("b"));
        assertThat(told(done(board().read()))).containsExactly("a=1");
    }

    @Test
    void fullBoard_refusesNewNotes_butReplacesExistingOnes() {
        for (int i = 0; i < SharedNotes.MOST; i++) {
            done(board().post(new Note("note-" + i, "", HOUR)));
        }

        assertThatThrownBy(() -> done(board().post(new Note("one more", "", HOUR))))
                .matches(failure -> StoreRefused.in(failure) != null)
                .hasMessageContaining("at most 1000 notes");
        done(board().post(new Note("note-7", "changed", HOUR)));
        assertThat(done(board().read())).hasSize(SharedNotes.MOST);
        done(board().remove("note-7"));
        done(board().post(new Note("one more", "", HOUR)));
        assertThat(done(board().read())).hasSize(SharedNotes.MOST);
    }

    @Test
    void tooLongNameOrText_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Note("a".repeat(SharedNotes.LONGEST_NAME + 1), "", HOUR));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Note("a", "a".repeat(SharedNotes.LONGEST_TEXT + 1), HOUR));
        assertThatIllegalArgumentException().isThrownBy(() -> board().post(new Note("a", "", Duration.ZERO)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> board().post(new Note("a", "", SharedNotes.LONGEST_LIFE.plusSeconds(1))));
    }
}
