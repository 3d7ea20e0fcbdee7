package dev.penstock.server.internal.envoy;

import dev.penstock.Decision;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.fields.HeaderField;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells which headers Envoy is to add to the response that its client gets. */
@FunctionalInterface
public interface HeadersToAdd {
    List<HeaderValue> of(DescriptorStatuses standing, List<DescriptorStatus> statuses);

    /** No header. */
    static HeadersToAdd none() {
        return (standing, statuses) -> List.of();
    }

    /** Those that {@code /v1/gate} sends. */
    static HeadersToAdd fields(DecisionFields fields) {
        return (standing, statuses) -> {
            Decision decision = standing.decision();
            List<HeaderValue> headers = new ArrayList<>();
            for (HeaderField field : decision == null ? List.<HeaderField>of() : fields.of(decision)) {
                headers.add(header(field.name(), field.value()));
            }
            return headers;
        };
    }

    /**
     * {@code RateLimit-Limit}, {@code -Remaining} and {@code -Reset} as whole numbers, as envoyproxy/ratelimit has them: of the first
     * descriptor that is over its limit, or the one with the least left.
     */
    static HeadersToAdd numbers() {
        return (standing, statuses) -> {
            DescriptorStatus pressing = pressing(statuses);
            return pressing == null
                    ? List.of()
                    : List.of(
                            header(
                                    "RateLimit-Limit",
                                    unsigned(pressing.getCurrentLimit().getRequestsPerUnit())),
                            header("RateLimit-Remaining", unsigned(pressing.getLimitRemaining())),
                            header(
                                    "RateLimit-Reset",
                                    Long.toString(
                                            pressing.getDurationUntilReset().getSeconds())));
        };
    }

    private static @Nullable DescriptorStatus pressing(List<DescriptorStatus> statuses) {
        DescriptorStatus least = null;
        for (DescriptorStatus status : statuses) {
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
