/**
 * The API of Penstock, its algorithms and the engines that need no store.
 *
 * <p>Entry point: {@link dev.penstock.Penstock}.
 */
@SuppressWarnings("module") // the modules named below are compiled after this one
module dev.penstock.core {
    requires static transitive org.jspecify;

    exports dev.penstock;
    exports dev.penstock.algorithm;
    exports dev.penstock.engine;
    exports dev.penstock.spi;

    // Code that all modules need in the same version: argument checks (Expect), durations as text (Durations), names
    // (CounterName, KeyEncoding), a bounded map (BoundedMap), timeouts of waits (StageTimeouts), and rounding for
    // clients (RetryAfterSeconds).
    exports dev.penstock.internal to
            dev.penstock.policy,
            dev.penstock.redis,
            dev.penstock.observe,
            dev.penstock.server,
            dev.penstock.cli,
            dev.penstock.demo;

    uses dev.penstock.spi.PolicyFileProvider;
    uses dev.penstock.spi.StoreProvider;
}
