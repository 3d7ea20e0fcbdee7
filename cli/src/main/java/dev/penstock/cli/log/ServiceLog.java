package dev.penstock.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.penstock.server.LogFormat;
import org.slf4j.LoggerFactory;

/**
 * Configures the log: Penstock's own lines from INFO and those of libraries from WARN, in one format, with every line
 * at most once a second. Logback finds this class through its service loader.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class ServiceLog extends ContextAwareBase implements Configurator {
    /** Switches the log to this format. */
    public static void use(LogFormat format) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            setUp(context, format);
        }
    }

    @Override
    public ExecutionStatus configure(LoggerContext loggerContext) {
        setUp(loggerContext, LogFormat.PLAIN);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static void setUp(LoggerContext context, LogFormat format) {
        Encoder<ILoggingEvent> lines = format == LogFormat.JSON ? new JsonLines() : new PlainLines();
        lines.setContext(context);
        lines.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(lines);
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        RepeatLimiter limited = new RepeatLimiter(appender);
        limited.setContext(context);
        limited.start();
        root.addAppender(limited);
        root.setLevel(Level.WARN);
        context.getLogger("dev.penstock").setLevel(Level.INFO);
        context.getLogger("io.micrometer").setLevel(Level.ERROR); // Penstock reports the relevant events itself
        context.getLogger("com.linecorp.armeria.server.HttpServerPipelineConfigurator")
                .setLevel(Level.ERROR); // logs a line per failed TLS handshake; Penstock reports them once a minute
        context.getLogger("com.linecorp.armeria.internal.common.AbstractHttp2ConnectionHandler")
                .setLevel(Level.ERROR); // logs a stack trace for each connection that violates HTTP/2
    }
}
