package dev.penstock.server.internal.override;

import dev.penstock.Clock;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Key;
import dev.penstock.spi.PolicySet;
import dev.penstock.spi.Scheduler;
import dev.penstock.spi.SharedNotes;
import dev.penstock.spi.SharedNotes.Note;
import dev.penstock.spi.StaticDecision;
import dev.penstock.spi.StaticDecision.Verdict;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What was changed by hand, and holds on every node for as long as was said: keys that are blocked, and the whole service in
 * shadow. It is kept on a {@link SharedNotes}, and read from there every second; while the store is away, what was read last holds.
 *
 * <p>Nothing is looked up for a request while nothing was changed.
 */
public final class OperatorOverrides implements AutoCloseable {
    /** How often the board is read: what is changed on one node holds on all others after that. */
    public static final Duration EVERY = Duration.ofSeconds(1);

    private static final System.Logger LOG = System.getLogger(OperatorOverrides.class.getName());

    private final SharedNotes board;
    private final Clock clock;
    private final Scheduler scheduler;
    private volatile State state = new State(Map.of(), null);
    private volatile boolean isClosed;

    /** What was read last. */
    private record State(
            Map<Key, BlockedKey> blocks, @Nullable Instant shadowUntil) {
        boolean isEmpty() {
            return blocks.isEmpty() && shadowUntil == null;
        }
    }

    public OperatorOverrides(SharedNotes board, Clock clock, Scheduler scheduler) {
        this.board = Expect.present(board, "board");
        this.clock = Expect.present(clock, "clock");
        this.scheduler = Expect.present(scheduler, "scheduler");
    }

    /** Begins to read. */
    public OperatorOverrides start() {
        refresh();
        return this;
    }

    private void refresh() {
        if (isClosed) {
            return;
        }
        scheduler.after(EVERY, this::refresh);
        CompletionStage<Boolean> unused = board.read().handle((notes, failure) -> {
            if (failure == null) {
                take(notes);
            } else {
                LOG.log(Level.DEBUG, "what was changed by hand stays as it was read last", failure);
            }
            return failure == null;
        });
    }

    private CompletionStage<Void> readNow(Completion posted) {
        return board.read().thenAccept(this::take);
    }

    private void take(List<Note> notes) {
        Instant now = now();
        Map<Key, BlockedKey> blocks = new HashMap<>();
        Instant shadowUntil = null;
        for (Note note : notes) {
            BlockedKey blocked = OverrideNotes.block(note, now);
            if (blocked != null) {
                blocks.put(blocked.key(), blocked);
            } else if (OverrideNotes.isShadow(note)) {
                shadowUntil = now.plus(note.left());
            }
        }
        State before = state;
        state = new State(blocks, shadowUntil);
        if ((before.shadowUntil == null) != (shadowUntil == null)) {
            LOG.log(
                    Level.WARNING,
                    shadowUntil == null
                            ? "the service enforces its limits again"
                            : "the service is in shadow until " + shadowUntil + ": nothing is denied");
        }
    }

    private Instant now() {
        return Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
    }

    /** Denies every request that is charged to that key, for so long. */
    public CompletionStage<Void> block(String policy, Key key, Duration life, String by) {
        return board.post(OverrideNotes.ofBlock(policy, key, by, now(), life)).thenCompose(this::readNow);
    }

    public CompletionStage<Void> unblock(Key key) {
        return board.remove(OverrideNotes.nameOf(key)).thenCompose(this::readNow);
    }

    /** Denies nothing for so long, and only observes what would have been denied. */
    public CompletionStage<Void> shadow(Duration life, String by) {
        return board.post(OverrideNotes.ofShadow(by, now(), life)).thenCompose(this::readNow);
    }

    public CompletionStage<Void> endShadow() {
        return board.remove(OverrideNotes.SHADOW).thenCompose(this::readNow);
    }

    /** The keys that are blocked, the one that was last the first. */
    public List<BlockedKey> blocks() {
        Instant now = now();
        return state.blocks.values().stream()
                .filter(each -> each.until().isAfter(now))
                .sorted(Comparator.comparing(BlockedKey::since).reversed())
                .toList();
    }

    /** How the key is blocked; null where it is not. */
    public @Nullable BlockedKey blocked(Key key) {
        BlockedKey known = state.blocks.get(key);
        return known != null && known.until().isAfter(now()) ? known : null;
    }

    /** Until when the service is in shadow; null where it is not. */
    public @Nullable Instant shadowUntil() {
        Instant until = state.shadowUntil;
        return until != null && until.isAfter(now()) ? until : null;
    }

    /** Whether anything was changed. */
    public boolean isInForce() {
        return !state.isEmpty();
    }

    /** These policies, as they were changed by hand. */
    public PolicySet overridden(PolicySet policies) {
        return request -> overridden(policies.match(request), request);
    }

    private Ask overridden(Ask ask, Request request) {
        if (!isInForce()) {
            return ask;
        }
        StaticDecision block = block(ask.charges());
        if (shadowUntil() != null) {
            return shadowed(ask, block == null ? ask.staticDecision() : block, request);
        }
        return block == null ? ask : Ask.of(block);
    }

    private static Ask shadowed(Ask ask, @Nullable StaticDecision ruling, Request request) {
        if (ruling != null) {
            return Ask.of(ruling.observed());
        }
        return ask.size() == 0 ? ask : Ask.of(observed(ask.charges())).forRequest(request);
    }

    /** The same charges, none of which denies. */
    public static List<Charge> observed(List<Charge> charges) {
        return charges.stream()
                .map(charge -> charge.on(charge.settings().enforcement(Enforcement.SHADOW)))
                .toList();
    }

    /** What rules where one of the charges is on a key that is blocked; null where none is. */
    public @Nullable StaticDecision block(List<Charge> charges) {
        Map<Key, BlockedKey> blocks = state.blocks;
        if (blocks.isEmpty()) {
            return null;
        }
        Instant now = now();
        for (Charge charge : charges) {
            BlockedKey blocked = blocks.get(charge.key());
            if (blocked != null && blocked.until().isAfter(now)) {
                return new StaticDecision(
                        Verdict.DENY, StaticDecision.BLOCK, charge.settings().version(), blocked.until(), charge);
            }
        }
        return null;
    }

    /** Stops reading; what holds stays as it is. */
    @Override
    public void close() {
        isClosed = true;
    }
}
