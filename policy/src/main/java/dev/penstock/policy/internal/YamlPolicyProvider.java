package dev.penstock.policy.internal;

import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.spi.PolicyFileProvider;
import java.nio.file.Path;
import java.util.List;

/** Opens YAML policy files for {@link dev.penstock.Penstock}. Stateless. */
public final class YamlPolicyProvider implements PolicyFileProvider {
    @Override
    public WatchedPolicies watch(List<Path> paths) {
        try {
            return PolicyWatch.of(paths.toArray(Path[]::new)).start();
        } catch (PolicyErrors e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
