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
 * Streams decisions to followers as they are made. Without followers it costs nothing. If a follower is slow, its
 * entries are dropped and counted; decisions never wait.
 */
public final class Tail implements DecisionListener {
    /** The maximum number of followers at one time. */
    public static final int MOST = 16;

    private static final int MOST_WAITING = 1_024;

    private final DecisionLine line;
    private volatile List<Follower> followers = List.of();

    /** Creates a stream without followers. */
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
     * Adds a follower for the selected decisions, until it is closed.
     *
     * @param wanted selects decisions; it is called for each one and must be fast and never block
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

    /** Receives decisions. */
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

        /** Returns the next lines of JSON without line ends, oldest first; empty if there are none yet. Never waits. */
        public List<String> next(int most) {
            List<Entry> entries = new ArrayList<>();
            waiting.drainTo(entries, most);
            return entries.stream().map(this::text).toList();
        }

        private String text(Entry entry) {
            ByteArrayOutputStream out = new ByteArrayOutputStream(512);
            try {
                line.write(entry.request, entry.decision, out);
            } catch (IOException e) { // cannot happen in memory
                throw new UncheckedIOException(e);
            }
            return out.toString(StandardCharsets.UTF_8).stripTrailing();
        }

        /** Returns the number of decisions that were dropped because this follower was slow. */
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
