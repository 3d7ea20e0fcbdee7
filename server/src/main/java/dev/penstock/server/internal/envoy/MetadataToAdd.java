package dev.penstock.server.internal.envoy;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.spi.PolicyVersion;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Chooses the dynamic metadata that Envoy keeps for a request, for its log and its other filters. */
@FunctionalInterface
public interface MetadataToAdd {
    /** Returns the metadata, or null for none. */
    @Nullable
    Struct of(DescriptorStatuses statuses);

    /** Adds no metadata. */
    static MetadataToAdd none() {
        return statuses -> null;
    }

    /**
     * Adds the reasons: {@code action} if the request is denied, {@code missing} with the attributes that its limits
     * count by and the request lacks, {@code denied_by} and {@code shadow_denied_by} with the names of policies or
     * rules. If anything was counted, also adds {@code decided_by}, {@code policies} (the hash of their version) and
     * {@code retry_after_ms}.
     */
    static MetadataToAdd reasons() {
        return statuses -> {
            Struct.Builder facts = Struct.newBuilder();
            Decision decision = statuses.decision();
            if (decision != null) {
                facts.putFields("decided_by", text(decision.decidedBy().name().toLowerCase(Locale.ROOT)));
                PolicyVersion version = decision.policyVersion();
                if (version != null) {
                    facts.putFields("policies", text(version.hash()));
                }
                Duration wait =
                        decision instanceof Denied refused ? refused.retry().waitFor() : null;
                if (wait != null) {
                    facts.putFields(
                            "retry_after_ms", number(wait.plusNanos(999_999).toMillis()));
                }
            }
            if (decision instanceof Denied refused) {
                facts.putFields("action", text(refused.action().word()));
            }
            Reasons reasons = Reasons.of(statuses);
            Set<String> missing = missing(statuses);
            if (!missing.isEmpty()) {
                facts.putFields("missing", texts(missing));
            }
            facts.putFields("denied_by", texts(reasons.denied()));
            facts.putFields("shadow_denied_by", texts(reasons.shadows()));
            return facts.build();
        };
    }

    /** Returns the attributes that the limits of the request count by and the request lacks. */
    private static Set<String> missing(DescriptorStatuses statuses) {
        Set<String> missing = new LinkedHashSet<>();
        statuses.limits().forEach(limit -> missing.addAll(limit.missing()));
        return missing;
    }

    private static Value text(String text) {
        return Value.newBuilder().setStringValue(text).build();
    }

    private static Value number(long number) {
        return Value.newBuilder().setNumberValue((double) number).build();
    }

    private static Value texts(Set<String> all) {
        ListValue.Builder list = ListValue.newBuilder();
        all.forEach(each -> list.addValues(text(each)));
        return Value.newBuilder().setListValue(list).build();
    }
}
