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
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Temporary changes by operators that apply on every node: blocked keys, and shadow for the whole service. They are
 * stored as {@link SharedNotes} and read every second. While the store is unavailable, the last ones read stay in
 * effect.
 *
 * <p>While there are no overrides, a request costs no lookup.
 */
public final class OperatorOverrides implements AutoCloseable {
    /** How often the notes are read, which is how long a change takes to reach the other nodes. */
    public static final Duration EVERY = Duration.ofSeconds(1);

    private static final System.Logger LOG = System.getLogger(OperatorOverrides.class.getName());

    private final SharedNotes board;
    private final Clock clock;
    private final Scheduler scheduler;
    private volatile State state = new State(Map.of(), null);
    private volatile boolean isClosed;

    /** The overrides as they were read last. */
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

    /** Starts to read the notes. */
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
                LOG.log(Level.DEBUG, "overrides cannot be read; the last ones stay in effect", failure);
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
                            : "the service is in shadow mode until " + shadowUntil + ": nothing is denied");
        }
    }

    private Instant now() {
        return Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
    }

    /** Denies every request that is charged to the key, for the given time. */
    public CompletionStage<Void> block(String policy, Key key, Duration life, String by) {
        return board.post(OverrideNotes.ofBlock(policy, key, by, now(), life)).thenCompose(this::readNow);
    }

    public CompletionStage<Void> unblock(Key key) {
        return board.remove(OverrideNotes.nameOf(key)).thenCompose(this::readNow);
    }

    /** Puts the service in shadow mode for the given time: nothing is denied, and denials are only reported. */
    public CompletionStage<Void> shadow(Duration life, String by) {
        return board.post(OverrideNotes.ofShadow(by, now(), life)).thenCompose(this::readNow);
    }

    public CompletionStage<Void> endShadow() {
        return board.remove(OverrideNotes.SHADOW).thenCompose(this::readNow);
    }

    /** Returns the blocked keys, the most recently blocked first. */
    public List<BlockedKey> blocks() {
        Instant now = now();
        return state.blocks.values().stream()
                .filter(each -> each.until().isAfter(now))
                .sorted(Comparator.comparing(BlockedKey::since).reversed())
                .toList();
    }

    /** Returns the block of the key, or null if it is not blocked. */
    public @Nullable BlockedKey blocked(Key key) {
        BlockedKey known = state.blocks.get(key);
        return known != null && known.until().isAfter(now()) ? known : null;
    }

    /** Returns the end of shadow, or null if the service is not in shadow mode. */
    public @Nullable Instant shadowUntil() {
        Instant until = state.shadowUntil;
        return until != null && until.isAfter(now()) ? until : null;
    }

    /** Returns true if there is any override. */
    public boolean isInForce() {
        return !state.isEmpty();
    }

    /** Returns these policies with the overrides applied. */
    public PolicySet overridden(PolicySet policies) {
        return new PolicySet() {
            @Override
            public Ask match(Request request) {
                return overridden(policies.match(request), request);
            }

            @Override
            public Set<String> units() {
                return policies.units();
            }
        };
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

    private static Ask shadowed(Ask ask, @Nullable StaticDecision staticDecision, Request request) {
        if (staticDecision != null) {
            return Ask.of(staticDecision.inShadow());
        }
        return ask.size() == 0 ? ask : Ask.of(inShadow(ask.charges())).forRequest(request);
    }

    /** Returns the same charges in shadow mode, so that none of them denies. */
    public static List<Charge> inShadow(List<Charge> charges) {
        return charges.stream()
                .map(charge -> charge.on(charge.settings().enforcement(Enforcement.SHADOW)))
                .toList();
    }

    /** Returns the decision if one of the charges is on a blocked key, or null if none is. */
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

    /** Stops reading. The current overrides stay in effect. */
    @Override
    public void close() {
        isClosed = true;
    }
}
