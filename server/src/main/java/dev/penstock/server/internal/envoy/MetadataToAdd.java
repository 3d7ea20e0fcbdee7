package dev.penstock.server.internal.envoy;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.spi.PolicyVersion;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells what Envoy keeps as dynamic metadata of a request, for its log and its other filters. */
@FunctionalInterface
public interface MetadataToAdd {
    /** Null for nothing. */
    @Nullable
    Struct of(DescriptorStatuses standing);

    /** No metadata. */
    static MetadataToAdd none() {
        return standing -> null;
    }

    /**
     * Why it was decided so: {@code denied_by} and {@code shadow_denied_by} with the names of policies or rules, and where anything was
     * counted {@code decided_by}, {@code policies} (the hash of their version) and {@code retry_after_ms}.
     */
    static MetadataToAdd reasons() {
        return standing -> {
            Struct.Builder facts = Struct.newBuilder();
            Decision decision = standing.decision();
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
            Reasons reasons = Reasons.of(standing);
            facts.putFields("denied_by", texts(reasons.denied()));
            facts.putFields("shadow_denied_by", texts(reasons.shadows()));
            return facts.build();
        };
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
