package dev.penstock.testkit;

import dev.penstock.Costs;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.Lockout;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.IdempotencyKey;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ReferenceEngine.AccountId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * An endless random trace of steps with few keys and limits, generated from one seed.
 *
 * <p>It uses the reference's answers, so that costs, times and settlements fall on and next to boundaries. A seed
 * therefore gives the same trace for every engine. Not thread-safe.
 */
public final class RandomTrace {
    private record Issued(int step, Ask ask) {}

    private final long seed;
    private final TraceFlavor flavor;
    private final SplittableRandom random;
    private final LimitPool pool;
    private final RandomTime time;
    private final List<List<Limit>> families = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private final boolean sharedCounter;

    private final Deque<Step> ahead = new ArrayDeque<>();
    private final List<Issued> issued = new ArrayList<>();
    private final List<Ask> named = new ArrayList<>();
    private final Map<AccountId, Long> remaining = new HashMap<>();
    private @Nullable Ask lastAsk;

    /** Creates a trace. The same seed and flavor give the same trace. */
    public RandomTrace(long seed, TraceFlavor flavor) {
        this.seed = seed;
        this.flavor = flavor;
        this.random = new SplittableRandom(seed);
        this.pool = new LimitPool(random);
        int familyCount = 1 + random.nextInt(4);
        for (int i = 0; i < familyCount; i++) {
            families.add(pool.versions(flavor.changes() ? 1 + random.nextInt(4) : 1));
        }
        int valueCount = 1 + random.nextInt(3);
        for (int i = 0; i < valueCount; i++) {
            values.add("k" + i);
        }
        long shapes = families.stream()
                .map(versions -> versions.get(0).rule().shape())
                .distinct()
                .count();
        boolean mayMeet = flavor.mostCharges() > 3 || shapes == familyCount;
        this.sharedCounter = mayMeet && random.nextInt(3) == 0;
        List<Limit> limits = families.stream().flatMap(List::stream).toList();
        this.time = new RandomTime(random, limits, flavor.goesBack());
    }

    /** Returns the seed that repeats this trace. */
    public long seed() {
        return seed;
    }

    /** Returns the kind of requests that the trace consists of. */
    public TraceFlavor flavor() {
        return flavor;
    }

    /** Returns the time at which the trace begins. */
    long startMicros() {
        return time.startMicros();
    }

    Step next(long now) {
        Step planned = ahead.poll();
        if (planned != null) {
            return planned;
        }
        int choice = random.nextInt(100);
        if (choice < 40) {
            return turn(now);
        }
        if (choice == 99) {
            return new Step.Reset(ask());
        }
        if (choice == 98 && !named.isEmpty()) {
            return new Step.Decide(maybeOther(pool.oneOf(named)));
        }
        if (choice < 75 || flavor.heldInTen() == 0 || issued.isEmpty()) {
            return new Step.Decide(sometimesNamed(ask()));
        }
        return permitStep();
    }

    /** Records the reference's answer to an ask. */
    void saw(int step, Ask ask, Expected expected, long now) {
        lastAsk = ask;
        for (int i = 0; i < ask.size(); i++) {
            Expected.OfCharge charge = expected.charges().get(i);
            remaining.put(AccountId.of(ask.charge(i)), charge.remaining());
            Expected.Wait retry = charge.retry();
            if (retry != null && retry.kind() != Expected.Kind.NEVER) {
                time.announce(
                        now + retry.micros(),
                        ReferenceBucket.tickMicros(ask.charge(i).limit()));
            }
        }
        Expected.Permit permit = expected.permit();
        if (permit != null) {
            issued.add(new Issued(step, ask));
            time.announce(permit.expiresAtMicros(), 1);
        }
    }

    private Step turn(long now) {
        Ask again = lastAsk;
        if (again != null && random.nextInt(3) == 0) {
            ahead.add(new Step.Decide(maybeOther(again)));
        }
        return new Step.Turn(time.next(now));
    }

    /** Sometimes gives the ask an id, under which it may be repeated later. */
    private Ask sometimesNamed(Ask ask) {
        if (ask.purpose() == Ask.Purpose.PEEK || ask.size() == 0 || random.nextInt(20) != 0) {
            return ask;
        }
        IdempotencyKey id = new IdempotencyKey("request" + named.size(), random.nextBoolean() ? "first" : null);
        Ask request = ask.id(id);
        named.add(request);
        if (random.nextInt(4) == 0) {
            ahead.add(new Step.Decide(maybeOther(request)));
        }
        return request;
    }

    /**
     * Sometimes returns a different ask under an id that is already used: another request, or the same request under
     * other policies.
     */
    private Ask maybeOther(Ask request) {
        String id = request.id();
        if (id == null || request.fingerprint() == null || random.nextInt(3) != 0) {
            return request;
        }
        Ask other = ask();
        boolean isPeek = other.purpose() == Ask.Purpose.PEEK || other.size() == 0;
        return isPeek ? request : other.id(new IdempotencyKey(id, random.nextBoolean() ? "first" : "second"));
    }

    private Ask ask() {
        int size = random.nextInt(200) == 0 ? 0 : 1 + random.nextInt(flavor.mostCharges());
        List<Charge> charges = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            charges.add(i > 0 && random.nextInt(4) == 0 ? beside(pool.oneOf(charges)) : charge());
        }
        Ask ask = Ask.of(charges);
        boolean leaky = charges.stream().anyMatch(charge -> charge.limit().algorithm() instanceof LeakyBucket);
        if (random.nextInt(leaky ? 2 : 30) == 0) {
            ask = ask.maxDelay(maxDelay());
        }
        if (random.nextInt(8) == 0) {
            return ask.peek();
        }
        if (random.nextInt(10) < flavor.heldInTen()) {
            Hold.Expiry expiry = random.nextBoolean() ? Hold.Expiry.KEEP_CHARGED : Hold.Expiry.GIVE_BACK;
            ask = ask.hold(new Hold(pool.term(), expiry));
        }
        return ask;
    }

    private Charge charge() {
        int family = random.nextInt(families.size());
        Limit limit = pool.oneOf(families.get(family));
        String counter = sharedCounter ? "shared" : "family" + family;
        return charge(limit, Key.of(counter, pool.oneOf(values)));
    }

    /** Returns another charge on the same account, if limits change their numbers. */
    private Charge beside(Charge charge) {
        String shape = charge.limit().rule().shape();
        List<Limit> versions = families.stream()
                .flatMap(List::stream)
                .filter(limit -> limit.rule().shape().equals(shape))
                .toList();
        return charge(flavor.changes() ? pool.oneOf(versions) : charge.limit(), charge.key());
    }

    private Charge charge(Limit limit, Key key) {
        boolean isShadow = flavor != TraceFlavor.PLAIN && random.nextInt(5) == 0;
        LimitSettings settings =
                LimitSettings.of("policy", limit).enforcement(isShadow ? Enforcement.SHADOW : Enforcement.ENFORCED);
        Charge free = Charge.of(settings, key, 0);
        long cost = cost(limit, remaining.getOrDefault(AccountId.of(free), limit.capacity()));
        boolean slots = limit.algorithm() instanceof Concurrency;
        return Charge.of(settings, key, Math.min(cost, slots ? Concurrency.MOST_PER_REQUEST : Costs.MAX));
    }

    private long cost(Limit limit, long left) {
        long capacity = limit.capacity();
        if (limit.algorithm() instanceof Lockout && random.nextBoolean()) {
            return 0; // only looks, because nothing else is ever refused
        }
        return switch (random.nextInt(16)) {
            case 0 -> 0;
            case 1 -> capacity;
            case 2 -> capacity + 1;
            case 3 -> left;
            case 4 -> left + 1;
            case 5 -> Math.max(0, left - 1);
            case 6 -> random.nextLong(capacity) + 1;
            case 7 -> 1 + capacity / (1 + random.nextLong(7));
            case 8 -> random.nextInt(20) == 0 ? Costs.MAX : left / 2;
            case 9, 10 -> 1 + random.nextLong(5);
            default -> 1;
        };
    }

    private Duration maxDelay() {
        return switch (random.nextInt(4)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofNanos(1_000 * (1 + random.nextLong(5)));
            case 2 -> Duration.ofMillis(1 + random.nextLong(3_000));
            default -> Duration.ofNanos(1_000 * time.span());
        };
    }

    private Step permitStep() {
        int last = issued.size() - 1;
        boolean recent = random.nextInt(4) != 0;
        Issued permit = issued.get(recent ? Math.max(0, last - random.nextInt(4)) : random.nextInt(last + 1));
        if (random.nextInt(4) == 0) {
            return new Step.Renew(permit.step);
        }
        Step settle = new Step.Settle(permit.step, actual(permit.ask));
        if (random.nextInt(8) == 0) {
            ahead.add(new Step.Settle(permit.step, actual(permit.ask)));
        }
        if (permit.ask.id() != null) {
            // the permit has ended, but the id still belongs to its request
            ahead.add(new Step.Decide(maybeOther(permit.ask)));
        }
        return settle;
    }

    private @Nullable Costs actual(Ask ask) {
        if (random.nextInt(3) == 0) {
            return null;
        }
        Costs actual = Costs.NONE;
        for (Charge charge : ask.charges()) {
            if (random.nextInt(4) != 0) {
                actual = actual.and(charge.limit().unit(), Math.min(Costs.MAX, actual(charge)));
            }
        }
        return random.nextInt(20) == 0 ? actual.and("unheard-of", 3) : actual;
    }

    private long actual(Charge charge) {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> charge.cost();
            case 2 -> charge.cost() + 1;
            case 3 -> Math.max(0, charge.cost() - 1);
            case 4 -> charge.cost() + charge.limit().capacity();
            case 5 -> random.nextInt(4) == 0 ? Costs.MAX : 2 * charge.limit().capacity();
            default -> random.nextLong(charge.cost() + 1);
        };
    }
}
