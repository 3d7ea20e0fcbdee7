package dev.penstock.server.internal.envoy;

import dev.penstock.Costs;
import dev.penstock.policy.envoy.EnvoyDescriptor;
import dev.penstock.policy.envoy.EnvoyDescriptor.LimitOverride;
import dev.penstock.policy.envoy.EnvoyUnit;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the descriptors of a request, or {@linkplain RefusedRequest refuses} it with the name of the invalid field. */
final class DescriptorReader {
    /** Bounds far above what Envoy's filters send, so that a request cannot keep a thread busy for long. */
    static final int MOST_DESCRIPTORS = 256;

    static final int MOST_ENTRIES = 64;
    static final int LONGEST_DOMAIN = 255;

    private DescriptorReader() {}

    static List<EnvoyDescriptor> read(RateLimitRequest request) {
        int length = request.getDomain().length();
        if (length == 0) {
            throw RefusedRequest.of("domain", "empty", "a name");
        } else if (length > LONGEST_DOMAIN) {
            throw RefusedRequest.of("domain", length + " characters", "at most " + LONGEST_DOMAIN);
        }
        int count = request.getDescriptorsCount();
        if (count == 0) {
            throw RefusedRequest.of("descriptors", "none", "at least one");
        } else if (count > MOST_DESCRIPTORS) {
            throw RefusedRequest.of("descriptors", count, "at most " + MOST_DESCRIPTORS);
        }
        List<EnvoyDescriptor> descriptors = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            descriptors.add(read(request.getDescriptors(i), i));
        }
        return descriptors;
    }

    private static EnvoyDescriptor read(RateLimitDescriptor descriptor, int index) {
        int count = descriptor.getEntriesCount();
        if (count == 0) {
            throw RefusedRequest.of(place(index) + ".entries", "none", "at least one");
        } else if (count > MOST_ENTRIES) {
            throw RefusedRequest.of(place(index) + ".entries", count, "at most " + MOST_ENTRIES);
        }
        if (!descriptor.getUnknownFields().asMap().isEmpty()) { // such as is_negative_hits, which must not be charged
            Object numbers = descriptor.getUnknownFields().asMap().keySet();
            throw RefusedRequest.of(place(index), "fields " + numbers, "fields 1 to 3");
        }
        EnvoyDescriptor.Entry[] entries = new EnvoyDescriptor.Entry[count];
        for (int i = 0; i < count; i++) {
            RateLimitDescriptor.Entry entry = descriptor.getEntries(i);
            if (entry.getKey().isBlank()) {
                throw RefusedRequest.of(place(index) + ".entries[" + i + "].key", "empty", "a name");
            }
            entries[i] = new EnvoyDescriptor.Entry(entry.getKey(), entry.getValue());
        }
        return new EnvoyDescriptor(List.of(entries), limit(descriptor, index), hits(descriptor, index));
    }

    private static @Nullable Long hits(RateLimitDescriptor descriptor, int index) {
        if (!descriptor.hasHitsAddend()) {
            return null;
        }
        long hits = descriptor.getHitsAddend().getValue();
        if (hits < 0 || hits > Costs.MAX) {
            throw RefusedRequest.of(place(index) + ".hits_addend", Long.toUnsignedString(hits), "0 to " + Costs.MAX);
        }
        return hits;
    }

    private static @Nullable LimitOverride limit(RateLimitDescriptor descriptor, int index) {
        if (!descriptor.hasLimit()) {
            return null;
        }
        RateLimitDescriptor.RateLimitOverride limit = descriptor.getLimit();
        EnvoyUnit unit = unit(limit.getUnit());
        if (unit == null) {
            throw RefusedRequest.of(place(index) + ".limit.unit", limit.getUnitValue(), "SECOND to YEAR, 1 to 6");
        }
        return new LimitOverride(Integer.toUnsignedLong(limit.getRequestsPerUnit()), unit);
    }

    private static @Nullable EnvoyUnit unit(RateLimitUnit unit) {
        return switch (unit) {
            case SECOND -> EnvoyUnit.SECOND;
            case MINUTE -> EnvoyUnit.MINUTE;
            case HOUR -> EnvoyUnit.HOUR;
            case DAY -> EnvoyUnit.DAY;
            case MONTH -> EnvoyUnit.MONTH;
            case YEAR -> EnvoyUnit.YEAR;
            case UNKNOWN, UNRECOGNIZED -> null;
        };
    }

    static String place(int index) {
        return "descriptors[" + index + "]";
    }
}
