package dev.penstock.engine;

import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.InterceptingEngine;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * An engine that many other callers use too. Sometimes a crowd of new keys comes, which is large enough that the memory
 * engine checks accounts everywhere and evicts idle ones. Callers of other keys must not notice. For one thread.
 */
final class CrowdedEngine extends InterceptingEngine {
    private static final int CROWD = 200;

    private final LimitSettings settings = LimitSettings.of("crowd", Limit.tokenBucket(1, Duration.ofSeconds(1)));
    private final SplittableRandom random = new SplittableRandom(1);
    private int came;

    CrowdedEngine(Engine inner) {
        super(inner);
    }

    @Override
    protected <T> Reply<T> carryOut(Supplier<Reply<T>> call) {
        if (random.nextInt(12) == 0) {
            for (int i = 0; i < CROWD; i++) {
                inner.decide(Ask.of(Charge.of(settings, Key.of("crowd", "k" + came++), 1)));
            }
        }
        return call.get();
    }
}
