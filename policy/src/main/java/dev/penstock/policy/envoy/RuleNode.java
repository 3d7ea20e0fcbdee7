package dev.penstock.policy.envoy;

import dev.penstock.policy.internal.yaml.Position;
import dev.penstock.policy.internal.yaml.SourceFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A descriptor of a file, with its rule, if any, and the descriptors below it. */
record RuleNode(Place place, RuleStep step, @Nullable EnvoyRule rule, List<RuleNode> descriptors) {
    /** A position in a file, for error messages. */
    record Place(SourceFile file, Position at, String path) {
        @Override
        public String toString() {
            return file.name() + ":" + at.line();
        }
    }
}
