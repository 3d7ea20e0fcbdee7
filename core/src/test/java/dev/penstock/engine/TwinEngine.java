package dev.penstock.engine;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cached engine and a bare one that get the same asks. If the cached engine reports only some limits, they are
 * compared with the bare engine's, and the bare engine's full answer is returned.
 *
 * <p>A store that is asked converts accounts to changed numbers, even if it denies. If it is not asked, it does so
 * later, and by then a different amount is owed. So an ask of several charges with changed numbers bypasses the cache
 * by an id that the store may remember. So does every ask to an account in which a permit that held nothing there was
 * settled, because that is like a charge from another node.
 */
class TwinEngine extends ForwardingEngine {
    /** The store behind the cache. The cache passes on every ask with an id that the store may remember. */
    static final class Store extends ForwardingEngine {
        private boolean mayRememberAll;

        Store(Engine memory) {
            super(memory);
        }

        @Override
        public Reply<Boolean> mayRemember(Ask ask) {
            return mayRememberAll ? Reply.now(true) : super.mayRemember(ask);
        }
    }

    private final Store store;
    private final Engine bare;
    private final Map<String, String> bareIds = new HashMap<>();
    private final Map<List<String>, Limit> limits = new HashMap<>();
    private final Set<List<String>> changed = new HashSet<>();
    private final Map<String, Ask> asks = new HashMap<>();
    private final Set<List<String>> settledUnheld = new HashSet<>();
    private int pastTheCache;

    /** @param store the store of the cached engine */
    TwinEngine(Engine cached, Store store, Engine bare) {
        super(cached);
        this.store = store;
        this.bare = bare;
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        boolean past = (meetsChangedNumbers(ask) && ask.size() > 1)
                || ask.charges().stream().map(TwinEngine::account).anyMatch(settledUnheld::contains);
        store.mayRememberAll = past;
        Decision mine =
                ready(super.decide(past && ask.id() == null ? ask.id("past the cache " + pastTheCache++) : ask));
        Decision truth = ready(bare.decide(ask));
        expect(mine.isAllowed() == truth.isAllowed(), mine, truth);
        if (mine instanceof Allowed allowed && truth instanceof Allowed other) {
            PermitHandle grant = allowed.permitHandle();
            if (grant != null) {
                bareIds.put(
                        grant.id(), Objects.requireNonNull(other.permitHandle()).id());
                asks.put(grant.id(), ask);
            }
        }
        if (mine.decidedBy() == DecidedBy.STORE) {
            return mine;
        }
        expect(mine.decidedBy() == DecidedBy.DENY_CACHE && !mine.limits().isEmpty(), mine, truth);
        expect(mine.charges().equals(ask.charges()) && mine.madeAt().equals(truth.madeAt()), mine, truth);
        expect(truth.limits().containsAll(mine.limits()), mine, truth);
        expect(mine.limits().stream().allMatch(status -> status.isExceeded() && status.isEnforced()), mine, truth);
        return mine.limits().size() == ask.size() ? mine : truth;
    }

    private boolean meetsChangedNumbers(Ask ask) {
        boolean meets = false;
        for (Charge charge : ask.charges()) {
            List<String> account = account(charge);
            Limit before = limits.putIfAbsent(account, charge.limit());
            if (before != null && !before.equals(charge.limit())) {
                changed.add(account);
            }
            meets |= changed.contains(account);
        }
        return meets;
    }

    private static List<String> account(Charge charge) {
        List<String> account = new ArrayList<>(charge.key().values());
        account.add(charge.key().counter());
        account.add(charge.limit().rule().shape());
        return account;
    }

    private static <T> T ready(Reply<T> reply) {
        return Objects.requireNonNull(reply.ifReady());
    }

    /** Throws no assertion error, because the trace runner shortens only traces that end in an exception. */
    private static void expect(boolean holds, Object mine, Object truth) {
        if (!holds) {
            throw new IllegalStateException(describe(mine) + " (expected: " + describe(truth) + ")");
        }
    }

    private static String describe(Object answer) {
        return answer instanceof Decision decision ? decision + " " + decision.limits() : answer.toString();
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        Reply<Settlement> mine = super.settle(permitId, actual);
        Settlement truth = ready(bare.settle(bareIds.getOrDefault(permitId, permitId), actual));
        expect(truth.equals(ready(mine)), ready(mine), truth);
        for (Charge charge : asks.getOrDefault(permitId, Ask.of()).charges()) {
            if (charge.cost() == 0) {
                settledUnheld.add(account(charge));
            }
        }
        return mine;
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        Reply<Settlement> mine = super.renew(permitId);
        Settlement truth = ready(bare.renew(bareIds.getOrDefault(permitId, permitId)));
        expect(truth.equals(ready(mine)), ready(mine), truth);
        return mine;
    }

    @Override
    public Reply<Completion> reset(Ask ask) {
        bare.reset(ask);
        return super.reset(ask);
    }

    @Override
    public void close() {
        super.close();
        bare.close();
    }
}
