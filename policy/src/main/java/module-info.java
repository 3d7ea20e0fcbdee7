/**
 * The policy language: reading, checking, matching, explaining and reloading policy files.
 *
 * <p>Entry points: {@link dev.penstock.policy.Policies} and {@link dev.penstock.policy.PolicyWatch}.
 */
@SuppressWarnings("module") // the modules named below are compiled after this one
module dev.penstock.policy {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.core;
    requires org.snakeyaml.engine;

    exports dev.penstock.policy;
    exports dev.penstock.policy.envoy;

    // The service reads the addresses of clients and proxies exactly as the conditions on `ip` do.
    exports dev.penstock.policy.internal.address to
            dev.penstock.server;

    // The service reloads certificates and reads its settings file the way policy files are reloaded and read.
    exports dev.penstock.policy.internal.file to
            dev.penstock.server;

    // Durations, counts, times and "did you mean" are written the same in policies, settings and commands.
    exports dev.penstock.policy.internal.text to
            dev.penstock.server,
            dev.penstock.cli;

    // The service's settings file is YAML with the same positions and error messages.
    exports dev.penstock.policy.internal.yaml to
            dev.penstock.server;

    provides dev.penstock.spi.PolicyFileProvider with
            dev.penstock.policy.internal.YamlPolicyProvider;
}
