/**
 * Makes decisions visible: metrics, top keys, a decision log.
 *
 * <p>Entry point: {@link dev.penstock.observe.PenstockMeters}.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Micrometer has no module descriptor
module dev.penstock.observe {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.core;
    requires transitive io.opentelemetry.api;
    requires transitive micrometer.core;
    requires com.fasterxml.jackson.core;
    requires transitive io.opentelemetry.context;

    exports dev.penstock.observe;
}
