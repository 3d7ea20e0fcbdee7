package dev.penstock.observe;

import dev.penstock.Decision;
import dev.penstock.DecisionListener;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Decisions as they are made, for those who look on. While nobody does it costs nothing; where one is slow, what he cannot take is
 * dropped for him and counted, and no decision waits.
 */
public final class Tail implements DecisionListener {
    /** How many can look on at one time. */
    public static final int MOST = 20;

    private static final int MOST_WAITING = 1_024;

    private final DecisionLine line;
    private final Set<Follower> followers = new CopyOnWriteArraySet<>();

    public Tail(PolicyWords words, @Nullable String region) {
        this.line = new DecisionLine(words, region);
    }

    @Override
    public void onDecision(Request request, Decision decision) {
        for (Follower follower : followers) {
            follower.offer(request, decision);
        }
    }

    /** Begins to look on, at what is wanted; ends when the follower is closed. */
    public Follower follow(BiPredicate<Request, Decision> wanted) {
        Follower follower = new Follower(Expect.present(wanted, "wanted"));
        synchronized (followers) {
            Expect.that(followers.size() < MOST, "followers", followers.size(), "fewer than " + MOST + " at one time");
            followers.add(follower);
        }
        return follower;
    }

    /** One who looks on. */
    public final class Follower implements AutoCloseable {
        private record Entry(Request request, Decision decision) {}

        private final BiPredicate<Request, Decision> wanted;
        private final BlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
        private final LongAdder dropped = new LongAdder();

        private Follower(BiPredicate<Request, Decision> wanted) {
            this.wanted = wanted;
        }

        private void offer(Request request, Decision decision) {
            if (wanted.test(request, decision) && !waiting.offer(new Entry(request, decision))) {
                dropped.increment();
            }
        }

        /** The next lines of JSON, the oldest first, without their ends; none where there are none yet. Never waits. */
        public List<String> next(int most) {
            List<Entry> entries = new ArrayList<>();
            waiting.drainTo(entries, most);
            return entries.stream().map(this::text).toList();
        }

        private String text(Entry entry) {
            ByteArrayOutputStream out = new ByteArrayOutputStream(512);
            try {
                line.write(entry.request, entry.decision, out);
            } catch (IOException e) { // never, of bytes in memory
                throw new UncheckedIOException(e);
            }
            return out.toString(StandardCharsets.UTF_8).stripTrailing();
        }

        /** How many were dropped because it was slow. */
        public long dropped() {
            return dropped.sum();
        }

        @Override
        public void close() {
            followers.remove(this);
        }
    }
}
