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
 * Collects the top keys of all nodes. Each node publishes its own every ten seconds. A node that has been silent for
 * half a minute no longer counts.
 */
public final class FleetTopKeys implements AutoCloseable {
    /** The number of keys per policy that a node publishes. */
    public static final int MOST_POSTED = 20;

    private static final System.Logger LOG = System.getLogger(FleetTopKeys.class.getName());
    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration LIFE = Duration.ofSeconds(30);

    private final TopKeys own;
    private final SharedNotes board;
    private final String node;
    private final Scheduler scheduler;
    private volatile boolean isClosed;

    /**
     * Creates an exchange, which begins with {@link #start}.
     *
     * @param node a name that is unique among the nodes
     */
    public FleetTopKeys(TopKeys own, SharedNotes board, String node, Scheduler scheduler) {
        this.own = Expect.present(own, "own");
        this.board = Expect.present(board, "board");
        this.node = Expect.text(node, "node");
        this.scheduler = Expect.present(scheduler, "scheduler");
    }

    /** Starts to publish. */
    public FleetTopKeys start() {
        postRegularly();
        return this;
    }

    private void postRegularly() {
        if (isClosed) {
            return;
        }
        scheduler.after(EVERY, this::postRegularly);
        CompletionStage<Boolean> unused = post().handle((done, failure) -> {
            if (failure != null) {
                LOG.log(Level.DEBUG, "the top keys could not be published to the other nodes", failure);
            }
            return failure == null;
        });
    }

    private CompletionStage<Completion> post() {
        return board.post(new Note(node, TopKeysText.write(own.report(MOST_POSTED), SharedNotes.LONGEST_TEXT), LIFE));
    }

    /** Returns the report of all nodes, with the current state of this one. Fails if the store does not answer. */
    public CompletionStage<TopKeysReport> report(int most) {
        return post().thenCompose(done -> board.read())
                .thenApply(notes -> TopKeysReport.together(
                        notes.stream()
                                .map(note -> TopKeysText.read(note.text()))
                                .filter(Objects::nonNull)
                                .toList(),
                        most));
    }

    /** Stops publishing. */
    @Override
    public void close() {
        isClosed = true;
    }
}
