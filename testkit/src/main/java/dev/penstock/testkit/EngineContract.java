package dev.penstock.testkit;

import dev.penstock.spi.Engine;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The tests that every engine must pass: decisions, ids, permits, changes of limits and clock.
 *
 * <p>To test an engine, extend this class and create a new, empty engine on the given clock. The engine must remember
 * ids and permits for at least a minute.
 */
public abstract class EngineContract implements DecideContract, IdContract, PermitContract, ChangeContract {
    private final ManualClock clock = new ManualClock();
    private @Nullable Engine engine;

    /** Creates an engine that has counted nothing and uses the clock. */
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
