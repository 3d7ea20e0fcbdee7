package dev.penstock.server.internal.envoy;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.LimitStatus;
import dev.penstock.Limiter;
import dev.penstock.Request;
import dev.penstock.Settlement;
import dev.penstock.observe.RequestOutcome;
import dev.penstock.policy.envoy.EnvoyDescriptor;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.DecisionListener;
import dev.penstock.spi.PermitHandle;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Answers Envoy's requests: all descriptors of one are decided in one ask, and where it is denied none of them is charged.
 *
 * <p>Two cases ask twice. Quotas of several groups deny only where all groups are over, which nobody knows before: what such
 * a request takes is held, and given back then. And where denied hits count, what is left of a limit that did not have
 * enough is taken, too.
 */
public final class RateLimitDecider {
    /** What becomes of a denied request. */
    public enum DeniedHits {
        /** It consumes nothing. */
        FREE,
        /** Every descriptor is charged by itself, also those of a denied request, as envoyproxy/ratelimit has it. */
        COUNTED
    }

    /** A caller's time includes the way back: an answer that comes with its last moment comes too late. */
    private static final int SHARE_OF_TIME_PERCENT = 75;

    private static final long LEAST_MICROS = 1_000;
    private static final System.Logger LOG = System.getLogger(RateLimitDecider.class.getName());
    private static final Hold UNTIL_KNOWN = Hold.of(Duration.ofSeconds(10));
    private static final Duration RETRY_WHEN_OVERLOADED = Duration.ofSeconds(1);

    private final Limiter limiter;
    private final Selection selection;
    private final ResponseWriter writer;
    private final DeniedHits deniedHits;
    private final long deadlineMicros;
    private final Clock clock;
    private final Consumer<RequestOutcome> listener;
    private final DecisionListener watchers;

    /**
     * @param deadline how long the engine takes at most where a caller does not say
     * @param clock tells how much is left of a caller's time
     * @param listener is told of each request what is to be counted, once
     * @param watchers are told of each request what was answered, as one decision
     */
    public RateLimitDecider(
            Limiter limiter,
            Selection selection,
            ResponseWriter writer,
            DeniedHits deniedHits,
            Duration deadline,
            Clock clock,
            Consumer<RequestOutcome> listener,
            DecisionListener watchers) {
        this.limiter = limiter;
        this.listener = listener;
        this.watchers = watchers;
        this.selection = selection;
        this.writer = writer;
        this.deniedHits = deniedHits;
        this.clock = clock;
        this.deadlineMicros = deadline.toMillis() * 1_000;
    }

    /**
     * Decides a request; one that cannot be read is {@linkplain RefusedRequest refused}, and charged nothing. The stage fails
     * with {@link OverloadedNode} if the node is too busy to decide.
     *
     * @param patienceMillis how long its caller waits
     */
    CompletionStage<RateLimitResponse> answer(RateLimitRequest request, long patienceMillis) {
        List<EnvoyDescriptor> descriptors = DescriptorReader.read(request);
        long hitsAddend = Integer.toUnsignedLong(request.getHitsAddend());
        DescriptorAsk asked = new DescriptorAsk(
                request.getDomain(), descriptors, selection.select(request.getDomain(), descriptors, hitsAddend));
        if (!asked.isCounted()) {
            return CompletableFuture.completedFuture(told(DescriptorStatuses.uncounted(asked)));
        }
        long untilMicros = clock.micros() + patienceMillis * 1_000 / 100 * SHARE_OF_TIME_PERCENT;
        if (deniedHits == DeniedHits.COUNTED) {
            return countEach(asked, untilMicros);
        }
        Ask ask = asked.ask();
        if (asked.isOver(asked.overAnyway())) {
            ask = ask.peek();
        } else if (asked.hasSeveralQuotaGroups()) {
            return hold(asked, ask.hold(UNTIL_KNOWN), untilMicros);
        }
        return decided(ask, untilMicros).thenApply(decision -> told(standing(asked, decision)));
    }

    private CompletionStage<Decision> decided(Ask ask, long untilMicros) {
        long leftMicros = Math.max(LEAST_MICROS, untilMicros - clock.micros());
        return limiter.askAsync(
                leftMicros < deadlineMicros ? ask.orTimeout(Duration.of(leftMicros, ChronoUnit.MICROS)) : ask);
    }

    /**
     * How each descriptor stands after the decision.
     *
     * @throws OverloadedNode if the node was too busy to decide: that is no reason to say that a request is over its limit
     */
    private DescriptorStatuses standing(DescriptorAsk asked, Decision decision) {
        boolean isUndecided = decision.decidedBy() == DecidedBy.NODE
                && (deniedHits == DeniedHits.COUNTED || !decision.isAllowed())
                && !asked.isOver(asked.overAnyway());
        if (!isUndecided) {
            return DescriptorStatuses.of(asked, decision, deniedHits);
        }
        Denied denied = decision instanceof Denied refused
                ? refused
                : Denied.overloaded(asked.ask(), clock.micros(), RETRY_WHEN_OVERLOADED);
        listener.accept(new RequestOutcome(RequestOutcome.Outcome.DENIED, DecidedBy.NODE, Map.of(), null, null));
        watchers.onDecision(asked.request(), denied);
        throw new OverloadedNode(denied);
    }

    private RateLimitResponse told(DescriptorStatuses standing) {
        Request request = standing.asked().request();
        listener.accept(Reasons.tally(standing, request));
        watchers.onDecision(request, AnsweredDecision.of(standing, clock.micros()));
        return writer.write(standing);
    }

    private CompletionStage<RateLimitResponse> hold(DescriptorAsk asked, Ask ask, long untilMicros) {
        return decided(ask, untilMicros).thenCompose(decision -> {
            DescriptorStatuses standing = standing(asked, decision);
            CompletableFuture<RateLimitResponse> response = CompletableFuture.completedFuture(told(standing));
            PermitHandle grant = decision instanceof Allowed allowed ? allowed.permitHandle() : null;
            if (grant == null) {
                return response;
            } else if (standing.isOver()) {
                CompletableFuture<Boolean> back = givenBack(grant, ask);
                long leftMicros = untilMicros - clock.micros();
                return leftMicros <= 0
                        ? response
                        : back.completeOnTimeout(false, leftMicros, TimeUnit.MICROSECONDS)
                                .thenCompose(unused -> response);
            }
            var unused = limiter.releaseAsync(grant.id()); // what is never heard of again stays charged, too
            return response;
        });
    }

    /** Whether what a denied request held was given back, once that is known; never fails, since the denial stands anyway. */
    private CompletableFuture<Boolean> givenBack(PermitHandle grant, Ask ask) {
        return CompletableFuture.completedFuture(grant)
                .thenCompose(held -> limiter.settleAsync(held.id(), ask.nothing()))
                .handle((settled, failure) -> {
                    boolean isBack = settled != null
                            && (settled.status() == Settlement.Status.SETTLED
                                    || settled.status() == Settlement.Status.PENDING);
                    if (!isBack) {
                        LOG.log(
                                Level.WARNING,
                                "what a denied request held was not given back: it stays charged",
                                failure);
                    }
                    return isBack;
                });
    }

    private CompletionStage<RateLimitResponse> countEach(DescriptorAsk asked, long untilMicros) {
        return decided(asked.askEach(), untilMicros).thenCompose(decision -> {
            RateLimitResponse response = told(standing(asked, decision));
            List<Charge> rests = rests(decision);
            return rests.isEmpty()
                    ? CompletableFuture.completedFuture(response)
                    : decided(Ask.of(rests), untilMicros).thenApply(taken -> response);
        });
    }

    /** What is left of limits that had some, but not enough. */
    private static List<Charge> rests(Decision decision) {
        List<Charge> rests = new ArrayList<>();
        for (LimitStatus status : decision.limits()) {
            if (status.isExceeded() && status.remaining() > 0) {
                rests.add(DescriptorAsk.at(status.charge(), status.remaining()));
            }
        }
        return rests;
    }
}
