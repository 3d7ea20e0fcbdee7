package dev.penstock.server.internal.envoy;

import com.google.protobuf.Duration;
import com.google.protobuf.Struct;
import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.LimitStatus;
import dev.penstock.internal.RetryAfterSeconds;
import dev.penstock.policy.envoy.EnvoyRule;
import dev.penstock.policy.envoy.EnvoyUnit;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import org.jspecify.annotations.Nullable;

/** Writes Envoy's responses: a status for each descriptor, in order, and the chosen headers and metadata. */
public final class ResponseWriter {
    private static final long MOST = 0xffff_ffffL;
    private static final DescriptorStatus NOTHING =
            DescriptorStatus.newBuilder().setCode(Code.OK).build();
    private static final DescriptorStatus UNLIMITED =
            NOTHING.toBuilder().setLimitRemaining((int) MOST).build();

    private final HeadersToAdd headers;
    private final MetadataToAdd metadata;
    private final Clock clock;

    /**
     * Creates a writer that adds these headers and metadata.
     *
     * @param clock the time for windows in which nothing was counted
     */
    public ResponseWriter(HeadersToAdd headers, MetadataToAdd metadata, Clock clock) {
        this.headers = headers;
        this.metadata = metadata;
        this.clock = clock;
    }

    RateLimitResponse write(DescriptorStatuses statuses) {
        RateLimitResponse.Builder response =
                RateLimitResponse.newBuilder().setOverallCode(statuses.isOver() ? Code.OVER_LIMIT : Code.OK);
        for (int i = 0; i < statuses.asked().size(); i++) {
            response.addStatuses(status(statuses, i));
        }
        response.addAllResponseHeadersToAdd(headers.of(statuses, response.getStatusesList()));
        Struct facts = metadata.of(statuses);
        return (facts == null ? response : response.setDynamicMetadata(facts)).build();
    }

    private DescriptorStatus status(DescriptorStatuses statuses, int i) {
        DescriptorMatch met = statuses.asked().met(i);
        if (met instanceof DescriptorMatch.Nothing) {
            return NOTHING;
        } else if (met instanceof DescriptorMatch.Unlimited) {
            return UNLIMITED;
        }
        boolean isOver = statuses.isOver(i) && !met.isShadow();
        EnvoyRule rule = met.limitingRule();
        LimitStatus reported = statuses.reported(i);
        DescriptorStatus.Builder status = DescriptorStatus.newBuilder()
                .setCode(isOver ? Code.OVER_LIMIT : Code.OK)
                .setLimitRemaining((int) Math.min(MOST, statuses.remaining(i)));
        if (rule != null && (reported != null || isOver || met instanceof DescriptorMatch.Static)) {
            addRule(status, rule, nowSeconds(statuses.decision()));
        } else if (rule == null && reported != null) {
            status.setCurrentLimit(PolicyRate.of(reported))
                    .setDurationUntilReset(seconds(RetryAfterSeconds.roundedUp(reported.resetAfter())));
        }
        return status.build();
    }

    private static void addRule(DescriptorStatus.Builder status, EnvoyRule rule, long nowSeconds) {
        RateLimit.Builder limit =
                RateLimit.newBuilder().setName(rule.name()).setRequestsPerUnit((int) rule.requestsPerUnit());
        EnvoyUnit unit = rule.unit();
        if (unit != null) {
            limit.setUnitValue(unit.number());
            long length = unit.length().toSeconds();
            status.setDurationUntilReset(seconds(length - Math.floorMod(nowSeconds, length)));
        }
        status.setCurrentLimit(limit);
    }

    private long nowSeconds(@Nullable Decision decision) {
        return decision == null
                ? Math.floorDiv(clock.micros(), 1_000_000)
                : decision.madeAt().getEpochSecond();
    }

    private static Duration seconds(long seconds) {
        return Duration.newBuilder().setSeconds(seconds).build();
    }
}
