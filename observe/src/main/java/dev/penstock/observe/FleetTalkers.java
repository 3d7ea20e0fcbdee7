package dev.penstock.observe;

import dev.penstock.Timer;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Board;
import dev.penstock.spi.Board.Note;
import dev.penstock.spi.Done;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * Who asks most of all nodes: each tells the others its own every ten seconds. A node that has been silent for half a minute no
 * longer counts.
 */
public final class FleetTalkers implements AutoCloseable {
    /** How many keys of each policy a node tells. */
    public static final int TOLD = 20;

    private static final System.Logger LOG = System.getLogger(FleetTalkers.class.getName());
    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration LIFE = Duration.ofSeconds(30);

    private final Talkers own;
    private final Board board;
    private final String node;
    private final Timer timer;
    private volatile boolean isClosed;

    /** @param node a name that no other has */
    public FleetTalkers(Talkers own, Board board, String node, Timer timer) {
        this.own = Expect.present(own, "own");
        this.board = Expect.present(board, "board");
        this.node = Expect.text(node, "node");
        this.timer = Expect.present(timer, "timer");
    }

    /** Begins to tell. */
    public FleetTalkers start() {
        tell();
        return this;
    }

    private void tell() {
        if (isClosed) {
            return;
        }
        timer.after(EVERY, this::tell);
        CompletionStage<Boolean> unused = post().handle((done, failure) -> {
            if (failure != null) {
                LOG.log(Level.DEBUG, "the other nodes could not be told who asks most", failure);
            }
            return failure == null;
        });
    }

    private CompletionStage<Done> post() {
        return board.post(new Note(node, TalkersText.write(own.report(TOLD), Board.LONGEST_TEXT), LIFE));
    }

    /** The report of all nodes, this one as it is now; fails where the store does not answer. */
    public CompletionStage<TalkersReport> report(int most) {
        return post().thenCompose(done -> board.read())
                .thenApply(notes -> TalkersReport.together(
                        notes.stream()
                                .map(note -> TalkersText.read(note.text()))
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
