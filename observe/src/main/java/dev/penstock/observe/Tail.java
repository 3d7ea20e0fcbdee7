package dev.penstock.observe;

import dev.penstock.Decision;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.spi.DecisionListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decisions as they are made, for those who look on. While nobody does it costs nothing; where one is slow, what he cannot take is
 * dropped for him and counted, and no decision waits.
 */
public final class Tail implements DecisionListener {
    /** How many can look on at one time. */
    public static final int MOST = 16;

    private static final int MOST_WAITING = 1_024;

    private final DecisionLine line;
    private volatile List<Follower> followers = List.of();

    public Tail(PolicyLabels words, @Nullable String region) {
        this.line = new DecisionLine(words, region);
    }

    @Override
    public void onDecision(Request request, Decision decision) {
        List<Follower> all = followers;
        for (int i = 0; i < all.size(); i++) {
            all.get(i).offer(request, decision);
        }
    }

    /**
     * Begins to look on, at what is wanted; ends when the follower is closed.
     *
     * @param wanted is asked on the way of each decision: quick, and never waits
     */
    public Follower follow(BiPredicate<Request, Decision> wanted) {
        Follower follower = new Follower(Expect.present(wanted, "wanted"));
        synchronized (this) {
            int count = followers.size();
            Expect.that(count < MOST, "followers", count, "fewer than " + MOST + " at one time");
            followers = Stream.concat(followers.stream(), Stream.of(follower)).toList();
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
            synchronized (Tail.this) {
                followers = followers.stream().filter(each -> each != this).toList();
            }
        }
    }
}
