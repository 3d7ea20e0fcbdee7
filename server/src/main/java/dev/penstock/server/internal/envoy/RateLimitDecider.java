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
import dev.penstock.internal.StageTimeouts;
import dev.penstock.observe.RequestOutcome;
import dev.penstock.policy.envoy.EnvoyDescriptor;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
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
import java.util.function.Consumer;

/**
 * Answers Envoy's requests. All descriptors of a request are decided in one ask, and none is charged if the request is
 * denied.
 *
 * <p>Two cases need a second ask. Quotas of several groups deny only if all groups are over, which is not known
 * beforehand: the request's charges are held, and returned if it is denied. If denied hits count, the rest of a limit
 * that did not have enough left is charged as well.
 */
public final class RateLimitDecider {
    /** The charge for a denied request. */
    public enum DeniedHits {
        /** A denied request consumes nothing. */
        FREE,
        /** Every descriptor is charged separately, even if the request is denied, as in envoyproxy/ratelimit. */
        COUNTED
    }

    /** The share of a caller's timeout that a decision may use. The rest is for the way back. */
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
    private final AnswerListener watchers;

    /**
     * @param deadline the maximum time of the engine if a caller sets no timeout
     * @param clock measures the rest of a caller's timeout
     * @param listener receives the outcome of each request once, for the metrics
     * @param watchers receive the answer to each request as one decision
     */
    public RateLimitDecider(
            Limiter limiter,
            Selection selection,
            ResponseWriter writer,
            DeniedHits deniedHits,
            Duration deadline,
            Clock clock,
            Consumer<RequestOutcome> listener,
            AnswerListener watchers) {
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
     * Decides a request. If it is invalid, throws {@link RefusedRequest} and charges nothing. The stage fails with
     * {@link OverloadedNode} if the node is too busy to decide.
     *
     * @param patienceMillis how long its caller waits
     */
    CompletionStage<RateLimitResponse> answer(RateLimitRequest request, long patienceMillis) {
        List<EnvoyDescriptor> descriptors = DescriptorReader.read(request);
        long hitsAddend = Integer.toUnsignedLong(request.getHitsAddend());
        List<DescriptorMatch> met = selection.select(request.getDomain(), descriptors, hitsAddend);
        DescriptorAsk asked = new DescriptorAsk(request.getDomain(), descriptors, hitsAddend, met);
        if (!asked.isCounted()) {
            return CompletableFuture.completedFuture(response(DescriptorStatuses.uncounted(asked)));
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
        return decided(ask, untilMicros).thenApply(decision -> response(statuses(asked, decision)));
    }

    private CompletionStage<Decision> decided(Ask ask, long untilMicros) {
        long leftMicros = Math.max(LEAST_MICROS, untilMicros - clock.micros());
        return limiter.askAsync(
                leftMicros < deadlineMicros ? ask.orTimeout(Duration.of(leftMicros, ChronoUnit.MICROS)) : ask);
    }

    /**
     * Returns the state of each descriptor after the decision.
     *
     * @throws OverloadedNode if the node was too busy to decide; the request must not be reported as over its limit
     *     then
     */
    private DescriptorStatuses statuses(DescriptorAsk asked, Decision decision) {
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

    private RateLimitResponse response(DescriptorStatuses statuses) {
        Request request = statuses.asked().request();
        listener.accept(Reasons.tally(statuses, request));
        Decision answer = AnsweredDecision.of(statuses, clock.micros());
        watchers.onDecision(request, answer);
        DescriptorAsk asked = statuses.asked();
        for (int i = 0; i < asked.size(); i++) {
            int descriptor = i;
            if (asked.met(i).isOfPolicies()) {
                watchers.onDescriptor(
                        asked.request(i), answer, limit -> asked.ownerOf(limit.charge(), 0) == descriptor);
            }
        }
        return writer.write(statuses);
    }

    private CompletionStage<RateLimitResponse> hold(DescriptorAsk asked, Ask ask, long untilMicros) {
        return decided(ask, untilMicros).thenCompose(decision -> {
            DescriptorStatuses statuses = statuses(asked, decision);
            CompletableFuture<RateLimitResponse> response = CompletableFuture.completedFuture(response(statuses));
            PermitHandle grant = decision instanceof Allowed allowed ? allowed.permitHandle() : null;
            if (grant == null) {
                return response;
            } else if (statuses.isOver()) {
                CompletableFuture<Boolean> back = givenBack(grant, ask);
                long leftMicros = untilMicros - clock.micros();
                return leftMicros <= 0
                        ? response
                        : StageTimeouts.SYSTEM
                                .within(Duration.of(leftMicros, ChronoUnit.MICROS), back)
                                .exceptionally(failure -> false)
                                .thenCompose(unused -> response);
            }
            var unused = limiter.releaseAsync(grant.id()); // if this is lost, the charges stay
            return response;
        });
    }

    /**
     * Returns the cost that a denied request held. Completes with true if that worked. It never fails, because the
     * request stays denied anyway.
     */
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
                                "the held cost of a denied request was not returned and stays charged",
                                failure);
                    }
                    return isBack;
                });
    }

    private CompletionStage<RateLimitResponse> countEach(DescriptorAsk asked, long untilMicros) {
        return decided(asked.askEach(), untilMicros).thenCompose(decision -> {
            RateLimitResponse response = response(statuses(asked, decision));
            List<Charge> rests = rests(decision);
            return rests.isEmpty()
                    ? CompletableFuture.completedFuture(response)
                    : decided(Ask.of(rests), untilMicros).thenApply(taken -> response);
        });
    }

    /** Returns charges for the rest of each limit that had some left, but not enough. */
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
