package dev.penstock.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.server.LogFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class EventLinesTest {
    private static final Instant MOMENT = Instant.parse("2026-12-24T18:00:00.120Z");

    private static LoggingEvent event(String message, @Nullable Throwable failure) {
        LoggingEvent event = new LoggingEvent(
                "", new LoggerContext().getLogger("dev.penstock.engine.Guard"), Level.WARN, message, failure, null);
        event.setInstant(MOMENT);
        event.setThreadName("a-thread");
        return event;
    }

    private static String plain(LoggingEvent event) {
        return new String(new PlainLines().encode(event), StandardCharsets.UTF_8);
    }

    @Test
    void plain_hasTimeLevelNameAndMessage() {
        assertThat(plain(event("the store is gone", null)))
                .isEqualTo("2026-12-24T18:00:00.120Z WARN  Guard: the store is gone\n");
    }

    @Test
    void plain_textFromACaller_cannotLookLikeAnEvent() {
        assertThat(plain(event("route /a\n2026-12-24T18:00:00.120Z ERROR x\r\u001b[2J", null)))
                .isEqualTo(
                        "2026-12-24T18:00:00.120Z WARN  Guard: route /a\n  2026-12-24T18:00:00.120Z ERROR x\n  ?[2J\n");
    }

    @Test
    void plain_failure_followsIndented() {
        assertThat(plain(event("failed", new IllegalStateException("why"))).lines())
                .contains("  java.lang.IllegalStateException: why")
                .filteredOn(line -> !line.startsWith("  "))
                .hasSize(1);
    }

    @Test
    void json_isOneObjectPerLine() throws Exception {
        String line = new String(
                new JsonLines().encode(event("a \"quote\"\nand more", new IllegalStateException("why"))),
                StandardCharsets.UTF_8);

        assertThat(line).hasLineCount(1).endsWith("}\n");
        JsonNode json = new ObjectMapper().readTree(line);
        assertThat(json.get("time").asText()).isEqualTo("2026-12-24T18:00:00.120Z");
        assertThat(json.get("level").asText()).isEqualTo("WARN");
        assertThat(json.get("logger").asText()).isEqualTo("dev.penstock.engine.Guard");
        assertThat(json.get("thread").asText()).isEqualTo("a-thread");
        assertThat(json.get("message").asText()).isEqualTo("a \"quote\"\nand more");
        assertThat(json.get("error").asText()).startsWith("java.lang.IllegalStateException: why");
    }

    @Test
    void use_isQuietForLibraries_andReplacesTheFormat() {
        ServiceLog.use(LogFormat.JSON);
        ServiceLog.use(LogFormat.PLAIN);

        assertThat(LoggerFactory.getLogger("io.netty.x").isInfoEnabled()).isFalse();
        assertThat(LoggerFactory.getLogger("io.netty.x").isWarnEnabled()).isTrue();
        assertThat(LoggerFactory.getLogger("dev.penstock.x").isInfoEnabled()).isTrue();
        assertThat(System.getLogger("dev.penstock.x").isLoggable(System.Logger.Level.INFO))
                .isTrue();
        assertThat(System.getLogger("io.netty.x").isLoggable(System.Logger.Level.INFO))
                .isFalse();
        ch.qos.logback.classic.Logger root =
                (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        assertThat(root.iteratorForAppenders()).toIterable().hasSize(1);
    }
}
