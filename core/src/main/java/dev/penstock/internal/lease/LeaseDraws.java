package dev.penstock.internal.lease;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.LimitStatus;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.internal.Durations;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Draws leases from the store, and settles them there when they end. Thread-safe. */
public final class LeaseDraws {
    private static final long AWAY_AFTER_FAILURE_MICROS = 1_000_000;

    private final Engine store;
    private final Clock clock;
    private final Scheduler scheduler;

    /** Settlements that the store has not answered yet. */
    private final Map<Lease, CompletableFuture<Settlement>> settlements = new ConcurrentHashMap<>();

    public LeaseDraws(Engine store, Clock clock, Scheduler scheduler) {
        this.store = store;
        this.clock = clock;
        this.scheduler = scheduler;
    }

    /** Draws a lease if the demand for the account needs one. */
    public void drawAhead(Charge charge, AccountLeases leases, long now) {
        long size = leases.toDraw(charge.limit().capacity(), now);
        if (size == 0) {
            return;
        }
        Duration life = Duration.of(leases.lifeMicros(), ChronoUnit.MICROS);
        Ask draw = Ask.of(Charge.of(charge.settings(), charge.key(), size)).hold(Hold.of(life));
        CompletionStage<Decision> reply;
        try {
            reply = store.decide(draw).whenReady();
        } catch (Throwable e) {
            reply = CompletableFuture.failedStage(e);
        }
        reply.whenComplete((decision, failure) -> {
            try {
                PermitHandle grant = decision instanceof Allowed allowed ? allowed.permitHandle() : null;
                if (grant != null) {
                    granted(decision, grant, size, leases, now);
                } else {
                    refused(decision, leases);
                }
            } catch (Throwable e) {
                // lets the asks that wait for the draw go on
                leases.refused(null, AWAY_AFTER_FAILURE_MICROS, clock.micros());
                throw e;
            }
        });
    }

    private void granted(Decision allowed, PermitHandle grant, long size, AccountLeases leases, long sentMicros) {
        long lifeMicros = leases.lifeMicros() * 8 / 10; // so that the spent permits are settled before the hold expires
        LimitStatus status = allowed.limits().get(0);
        Lease lease = new Lease(
                grant.id(),
                status.limit().unit(),
                size,
                sentMicros,
                sentMicros + lifeMicros,
                allowed.evidence().snapshot(0),
                Durations.micros(Duration.between(Instant.EPOCH, allowed.madeAt())));
        leases.drawn(lease, status.remaining(), clock.micros());
        long left = Math.max(0, sentMicros + lifeMicros - clock.micros());
        scheduler.after(Duration.of(left, ChronoUnit.MICROS), () -> end(lease));
    }

    /**
     * Handles a failed or denied draw. After a denial, only small costs go to the store for half a lease's lifetime.
     */
    private void refused(@Nullable Decision decision, AccountLeases leases) {
        long now = clock.micros();
        if (decision instanceof Denied denied && denied.decidedBy() == DecidedBy.STORE) {
            long away = leases.lifeMicros() / 2;
            long storeMicros = Durations.micros(Duration.between(Instant.EPOCH, denied.madeAt()));
            Snapshot seen = denied.evidence().snapshot(0);
            long remaining = denied.limits().get(0).remaining();
            leases.refused(new AccountLeases.Shortage(seen, storeMicros, remaining, now, now + away), away, now);
        } else {
            leases.refused(null, AWAY_AFTER_FAILURE_MICROS, now);
        }
    }

    /**
     * Settles the lease in the store at the number of permits really spent. If that call is lost, the hold expires
     * there and is charged whole.
     */
    public void end(Lease lease) {
        long spent = lease.end();
        if (spent < 0) {
            return;
        }
        Reply<Settlement> reply = store.settle(lease.permitId(), Costs.of(lease.unit(), spent));
        if (reply.ifReady() == null) {
            CompletableFuture<Settlement> settlement = reply.whenReady().toCompletableFuture();
            settlements.put(lease, settlement);
            var unused = settlement.whenComplete((settled, failure) -> settlements.remove(lease));
        }
    }

    /** Ends all leases of an account. */
    public void endAll(@Nullable AccountLeases leases) {
        for (Lease lease : leases == null ? new Lease[0] : leases.giveUp()) {
            end(lease);
        }
    }

    /** Returns the settlements that the store has not answered yet. */
    public List<CompletableFuture<Settlement>> settlements() {
        return List.copyOf(settlements.values());
    }
}
