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
 * An engine that many others use too: at times a crowd of new keys comes, enough that accounts anywhere in the memory engine are
 * looked at, and idle ones go. Nobody who asks for other keys may notice. For one thread.
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
