package dev.penstock.redis;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Hold;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.internal.StageTimeouts;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.PermitHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Decides an ask whose charges are in several slots of a Cluster, in two round trips. The first holds the cost in every
 * slot at the same time. If every slot has it, the second turns the holds into charges; otherwise it gives them back.
 *
 * <p>It never admits too much, because a hold that is not confirmed is charged when it expires. Other asks may be
 * denied cost that is later given back, for at most the lifetime of the hold. If a slot does not answer within half of
 * that time, the holds in the other slots are given back, and the ask fails.
 *
 * <p>An ask with an id is decided in the same way. If a second ask with the id is answered with the hold of the first,
 * the script marks the answer as shared. A shared hold is not given back, because the first ask may have been allowed,
 * and its hold may be in use. So only the ask that made a hold gives it back, and only if no other ask was answered
 * with it. The answer remembered under the id is removed with it, so a retry is decided again. If the answer is no
 * longer remembered, it is unknown whether the hold was shared, and the hold stays. Not thread-safe. One object decides
 * one ask.
 */
final class SpanningAsk {
    /** The ask for one slot, and the indexes of its charges in the whole ask. */
    private record Part(Ask ask, List<Integer> charges) {}

    /** Decides parts, and ends their holds. */
    interface Store {
        CompletionStage<StoreAnswer> decide(Ask part);

        void settle(PermitHandle grant);

        /** Gives back the permit, unless another ask with the same id was answered with it. */
        void giveBack(PermitHandle grant, Costs nothing);
    }

    private static final Duration PATIENCE = AskRouter.SPANNING_HOLD.dividedBy(2);

    private final Ask ask;
    private final Store store;
    private final List<Part> parts = new ArrayList<>();

    /** @param holdLife maximum time for which the cost is held if the ask itself has no hold */
    SpanningAsk(Ask ask, KeyNames names, Duration holdLife, Store store) {
        this.ask = ask;
        this.store = store;
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        for (int i = 0; i < ask.size(); i++) {
            String group = Slots.of(names.state(ask.charge(i))) + (isSlots(ask.charge(i)) ? " slots" : "");
            groups.computeIfAbsent(group, key -> new ArrayList<>()).add(i);
        }
        for (List<Integer> group : groups.values()) {
            parts.add(new Part(part(group, holdLife), group));
        }
    }

    static boolean spans(Ask ask, KeyNames names) {
        return ask.charges().stream()
                        .map(charge -> Slots.of(names.state(charge)))
                        .distinct()
                        .count()
                > 1;
    }

    private Ask part(List<Integer> group, Duration holdLife) {
        Ask part = ask.withCharges(group.stream().map(ask::charge).toList());
        if (ask.purpose() == Ask.Purpose.PEEK) {
            return part;
        }
        if (ask.hold() == null && !isSlots(part.charge(0))) {
            part = part.hold(Hold.of(holdLife));
        }
        String id = ask.id();
        return id == null
                ? part
                : part.id(id + (isSlots(part.charge(0)) ? " slots" : " rates")); // both parts may be in one slot
    }

    CompletionStage<Decision> decide() {
        List<CompletableFuture<StoreAnswer>> seen = new ArrayList<>();
        for (Part part : parts) {
            seen.add(store.decide(part.ask).toCompletableFuture());
        }
        CompletableFuture<List<StoreAnswer>> all = CompletableFuture.allOf(seen.toArray(CompletableFuture[]::new))
                .thenApply(unused -> seen.stream().map(CompletableFuture::join).toList());
        return StageTimeouts.SYSTEM.within(timeout(), all).handle((answers, failure) -> {
            if (failure != null) {
                giveBackWhatIsHeld(seen);
                throw new IllegalStateException("a slot of the Cluster did not answer in time", failure);
            }
            return conclude(answers);
        });
    }

    /**
     * Returns the time to wait for all slots. It ends long before holds expire and are charged, so that a slot that
     * does not answer does not cost the others anything.
     */
    private Duration timeout() {
        Duration own = ask.timeout();
        return own == null || own.compareTo(PATIENCE) > 0 ? PATIENCE : own;
    }

    private void giveBackWhatIsHeld(List<CompletableFuture<StoreAnswer>> seen) {
        for (int i = 0; i < parts.size(); i++) {
            Ask asked = parts.get(i).ask;
            CompletableFuture<StoreAnswer> unused = seen.get(i).whenComplete((one, failure) -> {
                if (one != null && one.permitHandle() != null) {
                    store.giveBack(one.permitHandle(), asked.nothing());
                }
            });
        }
    }

    private Decision conclude(List<StoreAnswer> seen) {
        boolean allowed = seen.stream().allMatch(StoreAnswer::allowed);
        Snapshot[] snapshots = new Snapshot[ask.size()];
        long exceeded = 0;
        long now = 0;
        long delay = 0;
        List<PermitHandle> kept = new ArrayList<>();
        for (int k = 0; k < parts.size(); k++) {
            Part part = parts.get(k);
            StoreAnswer one = seen.get(k);
            now = Math.max(now, one.nowMicros());
            delay = Math.max(delay, one.delayMicros());
            for (int i = 0; i < part.charges.size(); i++) {
                snapshots[part.charges.get(i)] = one.snapshots()[i];
                exceeded |= (one.exceeded() >>> i & 1) << part.charges.get(i);
            }
            PermitHandle grant = one.permitHandle();
            if (grant == null) {
                continue;
            }
            if (!allowed) {
                store.giveBack(grant, part.ask.nothing());
            } else if (ask.hold() != null || isSlots(part.ask.charge(0))) {
                kept.add(grant);
            } else if (ask.id() == null) {
                store.settle(grant);
            } // with an id, the hold remains so that the answer can be repeated, and is charged when it expires
        }
        return new StoreAnswer(
                        allowed ? StoreAnswer.Kind.ALLOWED : StoreAnswer.Kind.DENIED,
                        now,
                        snapshots,
                        exceeded,
                        allowed ? delay : 0,
                        allowed ? joint(kept) : null)
                .decision(ask);
    }

    private static @Nullable PermitHandle joint(List<PermitHandle> grants) {
        if (grants.isEmpty()) {
            return null;
        }
        String id = PermitId.joint(grants.stream().map(PermitHandle::id).toList());
        Instant first = grants.stream()
                .map(PermitHandle::expiresAt)
                .min(Instant::compareTo)
                .orElseThrow();
        return new PermitHandle(id, first);
    }

    private static boolean isSlots(Charge charge) {
        return charge.limit().algorithm() instanceof Concurrency;
    }
}
