package dev.penstock.testkit;

import dev.penstock.spi.Engine;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The examples that every engine passes, told one at a time: decisions, permits, changes.
 *
 * <p>A test of an engine extends this class and makes the engine, new and empty, on the clock that it is given. The
 * engine's remembering time must be a minute or more.
 */
public abstract class EngineContract implements DecideContract, IdContract, PermitContract, ChangeContract {
    private final ManualClock clock = new ManualClock();
    private @Nullable Engine engine;

    /** A new engine that has counted nothing and goes by the clock. */
    protected abstract Engine createEngine(ManualClock clock);

    @BeforeEach
    final void openEngine() {
        engine = createEngine(clock);
    }

    @AfterEach
    final void closeEngine() {
        engine().close();
    }

    @Override
    public final Engine engine() {
        return Objects.requireNonNull(engine, "an engine is made before each test");
    }

    @Override
    public final ManualClock clock() {
        return clock;
    }
}
