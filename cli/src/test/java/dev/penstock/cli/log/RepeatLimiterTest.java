package dev.penstock.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.read.ListAppender;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RepeatLimiterTest {
    private static final Instant BEGIN = Instant.parse("2026-12-24T18:00:00.120Z");

    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> written = new ListAppender<>();
    private final RepeatLimiter limiter = new RepeatLimiter(written);

    @BeforeEach
    void start() {
        written.start();
        limiter.setContext(context);
        limiter.start();
    }

    private LoggingEvent event(
            long atMillis, String logger, String message, @Nullable Throwable failure, Object... args) {
        Logger of = context.getLogger(logger);
        LoggingEvent event = new LoggingEvent("", of, Level.WARN, message, failure, args);
        event.setInstant(BEGIN.plusMillis(atMillis));
        event.setThreadName("a-thread");
        return event;
    }

    private void log(long atMillis, String message, Object... args) {
        limiter.doAppend(event(atMillis, "a.B", message, null, args));
    }

    private List<String> messages() {
        return written.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** An appender reads these properties and would lose the line without them. */
    @Test
    void lineWithTheNumberLeftOut_hasAllPropertiesThatAnAppenderReads() {
        context.setMDCAdapter(new LogbackMDCAdapter());
        log(0, "busy");
        log(10, "busy");
        log(2_000, "busy");

        assertThat(messages()).containsExactly("busy", "busy (1 more like this)");
        assertThat(written.list).allSatisfy(event -> {
            assertThat(event.getMDCPropertyMap()).isEmpty();
            assertThat(event.getLoggerContextVO()).isNotNull();
            assertThat(event.getKeyValuePairs()).isNull();
        });
    }

    @Test
    void sameLine_isWrittenOnceASecond_andTheNextSaysHowManyWereLeftOut() {
        for (int millis = 0; millis <= 2_000; millis += 10) {
            log(millis, "user {} is unknown", millis);
        }
        log(10_000, "user {} is unknown", "x");

        assertThat(messages())
                .containsExactly(
                        "user 0 is unknown",
                        "user 1000 is unknown (99 more like this)",
                        "user 2000 is unknown (99 more like this)",
                        "user x is unknown");
    }

    @Test
    void otherLines_areWritten() {
        log(0, "one");
        log(0, "two");
        limiter.doAppend(event(0, "a.C", "one", null));
        limiter.doAppend(event(0, "a.B", "one", new IllegalStateException("x")));
        limiter.doAppend(event(0, "a.B", "one", new IllegalArgumentException("x")));
        limiter.doAppend(event(0, "a.B", "one", new IllegalArgumentException("y")));

        assertThat(messages()).containsExactly("one", "two", "one", "one", "one");
    }

    @Test
    void lineWithTheNumberLeftOut_keepsEverythingElse() {
        for (int i = 0; i < 3; i++) {
            limiter.doAppend(event(600 * i, "a.B", "failed: {}", new IllegalStateException("why"), i));
        }

        String last =
                new String(new PlainLines().encode(written.list.get(written.list.size() - 1)), StandardCharsets.UTF_8);
        assertThat(last).startsWith("""
                2026-12-24T18:00:01.320Z WARN  B: failed: 2 (1 more like this)
                  java.lang.IllegalStateException: why
                """);
    }

    @Test
    void loggerWhoseLinesAllDiffer_isBounded() {
        for (int i = 0; i < 200; i++) {
            log(0, "key " + i);
        }
        log(1_000, "key 7");

        assertThat(messages())
                .hasSize(RepeatLimiter.LINES_PER_LOGGER + 1)
                .endsWith("key 7 (150 more from this logger)");
    }

    @Test
    void moreLinesThanAreRemembered_areWritten() {
        for (int i = 0; i < 3 * RepeatLimiter.MOST_LINES; i++) {
            limiter.doAppend(event(0, "a.B" + i, "x".repeat(10_000) + i, null));
        }

        assertThat(messages()).hasSize(3 * RepeatLimiter.MOST_LINES);
    }

    @Test
    void clockThatIsSetBack_doesNotSilenceALine() {
        log(3_600_000, "one");
        log(0, "one");

        assertThat(messages()).hasSize(2);
    }
}
