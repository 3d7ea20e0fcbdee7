package dev.penstock.observe;

import dev.penstock.internal.Expect;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Scheduler;
import dev.penstock.spi.SharedNotes;
import dev.penstock.spi.SharedNotes.Note;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * Who asks most of all nodes: each tells the others its own every ten seconds. A node that has been silent for half a minute no
 * longer counts.
 */
public final class FleetTopKeys implements AutoCloseable {
    /** How many keys of each policy a node tells. */
    public static final int TOLD = 20;

    private static final System.Logger LOG = System.getLogger(FleetTopKeys.class.getName());
    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration LIFE = Duration.ofSeconds(30);

    private final TopKeys own;
    private final SharedNotes board;
    private final String node;
    private final Scheduler scheduler;
    private volatile boolean isClosed;

    /** @param node a name that no other has */
    public FleetTopKeys(TopKeys own, SharedNotes board, String node, Scheduler scheduler) {
        this.own = Expect.present(own, "own");
        this.board = Expect.present(board, "board");
        this.node = Expect.text(node, "node");
        this.scheduler = Expect.present(scheduler, "scheduler");
    }

    /** Begins to tell. */
    public FleetTopKeys start() {
        tell();
        return this;
    }

    private void tell() {
        if (isClosed) {
            return;
        }
        scheduler.after(EVERY, this::tell);
        CompletionStage<Boolean> unused = post().handle((done, failure) -> {
            if (failure != null) {
                LOG.log(Level.DEBUG, "the other nodes could not be told who asks most", failure);
            }
            return failure == null;
        });
    }

    private CompletionStage<Completion> post() {
        return board.post(new Note(node, TopKeysText.write(own.report(TOLD), SharedNotes.LONGEST_TEXT), LIFE));
    }

    /** The report of all nodes, this one as it is now; fails where the store does not answer. */
    public CompletionStage<TopKeysReport> report(int most) {
        return post().thenCompose(done -> board.read())
                .thenApply(notes -> TopKeysReport.together(
                        notes.stream()
                                .map(note -> TopKeysText.read(note.text()))
                                .filter(Objects::nonNull)
                                .toList(),
                        most));
    }

    /** Tells no more. */
    @Override
    public void close() {
        isClosed = true;
    }
}
