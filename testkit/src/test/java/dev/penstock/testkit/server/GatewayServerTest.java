package dev.penstock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class GatewayServerTest {
    private static final String REQUIRED = "penstock.gateways.required";

    /** CI sets the property, so this test sets it to what it needs and restores it. */
    private static void with(String required, Runnable check) {
        String before = System.setProperty(REQUIRED, required);
        try {
            check.run();
        } finally {
            if (before == null) {
                System.clearProperty(REQUIRED);
            } else {
                System.setProperty(REQUIRED, before);
            }
        }
    }

    @Test
    void missingGateway_isSkipped_orFailsIfItIsRequired() {
        with("false", () -> assertThat(GatewayServer.has("no-such-gateway")).isFalse());
        with(
                "true",
                () -> assertThatThrownBy(() -> GatewayServer.has("no-such-gateway"))
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining("no-such-gateway: not installed"));
    }

    @Test
    void ci_requiresTheGateways() throws IOException {
        assertThat(Files.readString(Path.of("../.ci/run"))).contains("-D" + REQUIRED + "=true");
    }
}
