package dev.penstock.internal.guard;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Hold;
import dev.penstock.internal.AccountName;
import dev.penstock.internal.AwaitedReply;
import dev.penstock.internal.BoundedMap;
import dev.penstock.internal.ReplyDeadlines;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import dev.penstock.spi.StoreRefused;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Posts what shares allowed during an outage to each shard of the store when it is back. An account is posted before
 * the next request on it. All other accounts are posted in jittered rounds.
 *
 * <p>This works with any engine: it reserves a cost of zero and settles it at the amount owed, which the store accepts
 * as debt no matter how much is left. Each amount is sent at most once. An account that is already in debt accepts no
 * reservation. It is retried several times while the amount still matters. Thread-safe. Rounds never overlap.
 */
public final class OutageReplay {
    private static final System.Logger LOG = System.getLogger(OutageReplay.class.getName());

    private static final int ACCOUNTS_A_ROUND = 1_000;
    private static final int POSTS_A_ROUND = 64;
    private static final long IDLE_ROUND_MICROS = 1_000_000;

    /** Long enough to settle the reservation at once. If it is not settled, it expires without a charge. */
    private static final Hold BRIEFLY = Hold.of(Duration.ofSeconds(10)).onExpiry(Hold.Expiry.GIVE_BACK);

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Engine store;
    private final BoundedMap<AccountName, OutageSpending> tabs;
    private final ShardTable shards;
    private final StoreFailures failures;
    private final ReplyDeadlines deadlines;
    private final Clock clock;
    private final JitteredRounds rounds;

    /** The position at which the last round stopped. Used only by the current round. */
    private Iterator<AccountName> rest = Collections.emptyIterator();

    public OutageReplay(
            Engine store,
            LocalShares local,
            ShardTable shards,
            StoreFailures failures,
            ReplyDeadlines deadlines,
            Clock clock,
            Scheduler scheduler,
            RandomGenerator random) {
        this.store = store;
        this.tabs = local.tabs();
        this.shards = shards;
        this.failures = failures;
        this.deadlines = deadlines;
        this.clock = clock;
        this.rounds = new JitteredRounds(scheduler, random, this::round);
    }

    /** Posts the amounts owed for the accounts that the store is about to be asked for. */
    public void before(Ask ask) {
        if (tabs.isEmpty()) {
            return;
        }
        for (int i = 0; i < ask.size(); i++) {
            Charge charge = ask.charge(i);
            if (charge.settings().onStoreFailure().usesShares()) {
                OutageSpending tab = tabs.get(new AccountName(charge));
                if (tab != null) {
                    post(tab);
                }
            }
        }
    }

    /** Starts the rounds after this time if there is anything to post. */
    public void begin(long afterMicros) {
        if (!tabs.isEmpty()) {
            rounds.begin(afterMicros);
        }
    }

    public void stop() {
        rounds.stop();
    }

    private long round() {
        if (tabs.isEmpty() || !shards.isAnyGathered()) {
            return JitteredRounds.DONE;
        }
        return postSome() > 0 ? JitteredRounds.SOON_MICROS : IDLE_ROUND_MICROS;
    }

    private int postSome() {
        if (!rest.hasNext()) {
            rest = tabs.keys();
        }
        int posts = 0;
        for (int i = 0; i < ACCOUNTS_A_ROUND && posts < POSTS_A_ROUND && rest.hasNext(); i++) {
            AccountName name = rest.next();
            OutageSpending tab = tabs.get(name);
            if (tab == null || !isGathered(tab)) {
                continue;
            }
            if (post(tab)) {
                posts++;
            } else if (tab.isDone()) {
                tabs.remove(name);
                tab.close();
            }
        }
        return posts;
    }

    private boolean isGathered(OutageSpending tab) {
        return shards.areAllClosed() || shards.areGathered(Ask.of(tab.nothing()));
    }

    /** Posts what an account owes. Returns whether it owed anything. */
    private boolean post(OutageSpending tab) {
        if (!tab.beginPost(clock.micros())) {
            return false;
        }
        try {
            Charge nothing = tab.nothing();
            Reply<Decision> reply = store.decide(Ask.of(nothing).hold(BRIEFLY));
            Decision ready = reply.ifReady();
            Reserved reserved = new Reserved(tab, nothing.limit().unit());
            if (ready != null) {
                reserved.accept(ready, null);
            } else {
                deadlines.await(reply, PATIENCE, reserved);
            }
        } catch (RuntimeException e) {
            failed(tab, e);
        }
        return true;
    }

    private void failed(OutageSpending tab, @Nullable Throwable failure) {
        if (StoreRefused.in(failure) == null) {
            tab.failPost();
        } else {
            tab.refusePost(clock.micros());
        }
        failures.note(failure);
    }

    /** A reservation of zero in the store, which is settled at the amount owed. */
    private final class Reserved extends AwaitedReply<Decision> {
        private final OutageSpending tab;
        private final String unit;

        Reserved(OutageSpending tab, String unit) {
            this.tab = tab;
            this.unit = unit;
        }

        @Override
        protected void inTime(Decision decision) {
            PermitHandle grant = decision instanceof Allowed allowed ? allowed.permitHandle() : null;
            failures.replied();
            if (grant == null) {
                tab.refusePost(clock.micros());
                return;
            }
            long owed = tab.settlePost(decision, clock.micros());
            Charge strike = tab.strike(owed);
            try {
                store.settle(grant.id(), Costs.of(unit, owed));
                if (strike != null && owed > 0) {
                    // The answer does not matter, because the strike is only counted.
                    Reply<Decision> unused = store.decide(Ask.of(strike));
                }
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "permits allowed during the outage may not have been posted to the store", e);
            }
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            OutageReplay.this.failed(tab, failure);
        }

        @Override
        protected void broken(Throwable failure) {
            tab.failPost();
        }
    }
}
