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
    exports dev.penstock.policy.address;
    exports dev.penstock.policy.envoy;
    exports dev.penstock.policy.text;

    // The service uses the same code to reload certificates.
    exports dev.penstock.policy.internal.file to
            dev.penstock.server;

    // The service's settings file is YAML with the same positions and error messages.
    exports dev.penstock.policy.internal.yaml to
            dev.penstock.server;

    provides dev.penstock.spi.PolicyFileProvider with
            dev.penstock.policy.internal.YamlPolicyProvider;
}
