package dev.penstock.server.internal.envoy;

import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.fields.HeaderField;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses the headers that Envoy adds to the response for its client. */
@FunctionalInterface
public interface HeadersToAdd {
    List<HeaderValue> of(DescriptorStatuses statuses, List<DescriptorStatus> items);

    /** Adds no header. */
    static HeadersToAdd none() {
        return (statuses, items) -> List.of();
    }

    /** The header of a denied request with the action of the policy that denied it. */
    String ACTION = "Penstock-Action";

    /** Adds the fields that {@code /v1/gate} sends. */
    static HeadersToAdd fields(DecisionFields fields) {
        return (statuses, items) -> {
            Decision decision = statuses.decision();
            List<HeaderValue> headers = new ArrayList<>();
            for (HeaderField field : decision == null ? List.<HeaderField>of() : fields.of(decision)) {
                headers.add(header(field.name(), field.value()));
            }
            addAction(decision, headers);
            return headers;
        };
    }

    /**
     * Adds {@code RateLimit-Limit}, {@code -Remaining} and {@code -Reset} as whole numbers, as envoyproxy/ratelimit
     * does. They describe the first descriptor that is over its limit, or else the one with the least left. A denial
     * whose policy has another action than {@code deny} also has {@value #ACTION}.
     */
    static HeadersToAdd numbers() {
        return (statuses, items) -> {
            List<HeaderValue> headers = new ArrayList<>();
            DescriptorStatus pressing = pressing(items);
            if (pressing != null) {
                long resetSeconds = pressing.getDurationUntilReset().getSeconds();
                headers.add(header(
                        "RateLimit-Limit", unsigned(pressing.getCurrentLimit().getRequestsPerUnit())));
                headers.add(header("RateLimit-Remaining", unsigned(pressing.getLimitRemaining())));
                headers.add(header("RateLimit-Reset", Long.toString(resetSeconds)));
            }
            addAction(statuses.decision(), headers);
            return headers;
        };
    }

    private static void addAction(@Nullable Decision decision, List<HeaderValue> headers) {
        if (decision instanceof Denied refused && !refused.action().equals(Denied.Action.DENY)) {
            headers.add(header(ACTION, refused.action().word()));
        }
    }

    private static @Nullable DescriptorStatus pressing(List<DescriptorStatus> items) {
        DescriptorStatus least = null;
        for (DescriptorStatus status : items) {
            if (status.hasCurrentLimit() && status.getCode() == Code.OVER_LIMIT) {
                return status;
            } else if (status.hasCurrentLimit() && (least == null || hasLess(status, least))) {
                least = status;
            }
        }
        return least;
    }

    private static boolean hasLess(DescriptorStatus one, DescriptorStatus other) {
        return Integer.compareUnsigned(one.getLimitRemaining(), other.getLimitRemaining()) < 0;
    }

    private static String unsigned(int number) {
        return Integer.toUnsignedString(number);
    }

    private static HeaderValue header(String name, String value) {
        return HeaderValue.newBuilder().setKey(name).setValue(value).build();
    }
}
