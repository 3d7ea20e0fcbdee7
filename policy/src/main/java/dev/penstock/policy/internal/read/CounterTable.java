package dev.penstock.policy.internal.read;

import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.policy.internal.select.KeyPart;
import dev.penstock.policy.internal.select.SelectedLimit.Line;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records which limit counts under which name. The limits of one policy use different names; limits that share a
 * counter must count alike.
 */
final class CounterTable {
    /**
     * The properties that limits with a shared counter must have in common. Otherwise the store would keep two
     * counters.
     */
    private record SharedProperties(
            String algorithm,
            String span,
            String unit,
            List<String> key,
            @Nullable String colocate,
            boolean local,
            @Nullable BlockRule block) {}

    private record Use(LimitDraft limit, SharedProperties manner) {}

    private final Map<String, LimitDraft> ids = new HashMap<>();
    private final Map<String, Use> inPolicy = new HashMap<>();
    private final Map<String, Use> shared = new HashMap<>();

    /**
     * Adds a limit and checks it against earlier ones.
     *
     * @param parts the parts of its key, including those that the policy adds
     */
    void add(PolicyDraft policy, LimitDraft limit, List<KeyPart> parts, List<Line> lines) {
        String id = limit.id();
        LimitDraft same = id == null ? null : ids.putIfAbsent(policy.name() + "/" + id, limit);
        if (same != null) {
            limit.field()
                    .report("counts under the same name as " + same.field().path()
                            + " (expected: its own id or counter)");
            return;
        }
        for (Line line : lines) {
            String shape = line.settings().limit().rule().shape();
            Algorithm algorithm = line.settings().limit().algorithm();
            List<String> key = parts.stream().map(KeyPart::written).toList();
            KeyPart colocate = policy.store().colocate();
            SharedProperties manner = new SharedProperties(
                    algorithm.word(),
                    algorithm.span(),
                    limit.unit(),
                    key,
                    colocate == null ? null : colocate.attribute(),
                    limit.local(),
                    limit.block());
            Use use = new Use(limit, manner);
            Use before = inPolicy.putIfAbsent(policy.name() + "/" + line.counter() + "/" + shape, use);
            if (before != null && !before.limit().equals(limit)) {
                String other = before.limit().field().path();
                String expected = limit.counter() == null
                        ? "its own id or counter"
                        : "another counter, or it would be charged twice";
                limit.field().report("counts under the same name as " + other + " (expected: " + expected + ")");
                return;
            }
            String counter = limit.counter();
            if (counter != null) {
                checkShared(limit, counter, use);
            }
        }
    }

    private void checkShared(LimitDraft limit, String counter, Use use) {
        Use before = shared.putIfAbsent(counter, use);
        if (before != null && !before.manner().equals(use.manner())) {
            limit.field()
                    .report("shares the counter " + counter + " with "
                            + before.limit().field().path() + " ("
                            + before.limit().field().place()
                            + ") but counts differently (expected: the same algorithm, period, unit, key,"
                            + " colocate, local and block_for)");
        }
    }
}
