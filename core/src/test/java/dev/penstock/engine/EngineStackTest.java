package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.spi.Engine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EngineStackTest {
    private final AtomicInteger opened = new AtomicInteger();

    private Engine open() {
        opened.incrementAndGet();
        return MemoryEngine.create();
    }

    static Stream<Consumer<EngineStack.Builder>> settingsOutOfBounds() {
        return Stream.of(
                builder -> builder.maxWaiting(0),
                builder -> builder.maxWaiting(1_000_001),
                builder -> builder.deadline(Duration.ZERO),
                builder -> builder.deadline(Duration.ofDays(1_000)),
                builder -> builder.maxWait(Duration.ZERO),
                builder -> builder.rememberFor(Duration.ZERO),
                builder -> builder.outageKeys(0),
                builder -> builder.denyCacheKeys(0),
                builder -> builder.leaseKeys(0),
                builder -> builder.localKeys(0),
                builder -> builder.nodes(0),
                builder -> builder.newKeysPerSecond(0));
    }

    @ParameterizedTest
    @MethodSource("settingsOutOfBounds")
    void build_settingOutOfRange_isRejectedBeforeTheStoreIsOpened(Consumer<EngineStack.Builder> setting) {
        assertThatIllegalArgumentException().isThrownBy(() -> {
            EngineStack.Builder builder = EngineStack.builder(this::open);
            setting.accept(builder);
            EngineStack unused = builder.build();
        });
        assertThat(opened).hasValue(0);
    }
}
