package dev.penstock.server.internal.envoy;

import dev.penstock.Allowed;
import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Decision;
import dev.penstock.Grant;
import dev.penstock.Hold;
import dev.penstock.LimitStatus;
import dev.penstock.Limiter;
import dev.penstock.policy.envoy.EnvoyDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Answers Envoy's requests: all descriptors of one are decided in one ask, and where it is denied none of them is charged.
 *
 * <p>Two cases ask twice. Quotas of several groups deny only where all groups are over, which nobody knows before: what such
 * a request takes is held, and given back then. And where denied hits count, what is left of a limit that did not have
 * enough is taken, too.
 */
public final class RateLimiting {
    /** What becomes of a denied request. */
    public enum DeniedHits {
        /** It consumes nothing. */
        FREE,
        /** Every descriptor is charged by itself, also those of a denied request, as envoyproxy/ratelimit has it. */
        COUNTED
    }

    /** A caller's time includes the way back: an answer that comes with its last moment comes too late. */
    private static final int SHARE_OF_TIME_PERCENT = 75;

    private static final Hold UNTIL_KNOWN = Hold.of(Duration.ofSeconds(10));

    private final Limiter limiter;
    private final Selection selection;
    private final ResponseWriter writer;
    private final DeniedHits deniedHits;
    private final long deadlineMillis;
    private final Consumer<Decision> listener;

    /**
     * @param deadline how long the engine takes at most where a caller does not say
     * @param listener is told each decision, as listeners of the limiter are of its own
     */
    public RateLimiting(
            Limiter limiter,
            Selection selection,
            ResponseWriter writer,
            DeniedHits deniedHits,
            Duration deadline,
            Consumer<Decision> listener) {
        this.limiter = limiter;
        this.listener = listener;
        this.selection = selection;
        this.writer = writer;
        this.deniedHits = deniedHits;
        this.deadlineMillis = deadline.toMillis();
    }

    /**
     * Decides a request; one that cannot be read is refused with an {@link IllegalArgumentException}, and charged nothing.
     *
     * @param patienceMillis how long its caller waits
     */
    CompletionStage<RateLimitResponse> answer(RateLimitRequest request, long patienceMillis) {
        List<EnvoyDescriptor> descriptors = DescriptorReader.read(request);
        long hitsAddend = Integer.toUnsignedLong(request.getHitsAddend());
        Asked asked = new Asked(descriptors, selection.select(request.getDomain(), descriptors, hitsAddend));
        if (!asked.isCounted()) {
            return CompletableFuture.completedFuture(writer.write(Standing.uncounted(asked)));
        }
        if (deniedHits == DeniedHits.COUNTED) {
            return countEach(asked, inTime(asked.askEach(), patienceMillis));
        }
        Ask ask = inTime(asked.ask(), patienceMillis);
        if (asked.isOver(asked.overAnyway())) {
            ask = ask.peek();
        } else if (asked.hasSeveralQuotaGroups()) {
            return hold(asked, ask);
        }
        return decided(ask).thenApply(decision -> writer.write(Standing.of(asked, decision, deniedHits)));
    }

    private CompletionStage<Decision> decided(Ask ask) {
        CompletionStage<Decision> decision = limiter.askAsync(ask);
        return ask.purpose() == Ask.Purpose.PEEK
                ? decision
                : decision.thenApply(made -> {
                    listener.accept(made);
                    return made;
                });
    }

    private Ask inTime(Ask ask, long patienceMillis) {
        long millis = Math.max(1, patienceMillis * SHARE_OF_TIME_PERCENT / 100);
        return millis < deadlineMillis ? ask.orTimeout(Duration.ofMillis(millis)) : ask;
    }

    private CompletionStage<RateLimitResponse> hold(Asked asked, Ask ask) {
        return decided(ask.hold(UNTIL_KNOWN)).thenCompose(decision -> {
            Standing standing = Standing.of(asked, decision, deniedHits);
            CompletableFuture<RateLimitResponse> response = CompletableFuture.completedFuture(writer.write(standing));
            Grant grant = decision instanceof Allowed allowed ? allowed.grant() : null;
            if (grant == null) {
                return response;
            } else if (standing.isOver()) {
                return limiter.settleAsync(grant.id(), ask.nothing()).thenCompose(settled -> response);
            }
            var unused = limiter.releaseAsync(grant.id()); // what is never heard of again stays charged, too
            return response;
        });
    }

    private CompletionStage<RateLimitResponse> countEach(Asked asked, Ask ask) {
        return decided(ask).thenCompose(decision -> {
            RateLimitResponse response = writer.write(Standing.of(asked, decision, deniedHits));
            List<Charge> rests = rests(decision);
            return rests.isEmpty()
                    ? CompletableFuture.completedFuture(response)
                    : limiter.askAsync(Ask.of(rests)).thenApply(taken -> response);
        });
    }

    /** What is left of limits that had some, but not enough. */
    private static List<Charge> rests(Decision decision) {
        List<Charge> rests = new ArrayList<>();
        for (LimitStatus status : decision.limits()) {
            if (status.isExceeded() && status.remaining() > 0) {
                rests.add(Asked.at(status.charge(), status.remaining()));
            }
        }
        return rests;
    }
}
