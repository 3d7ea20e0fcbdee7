package dev.penstock.server;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class says in the log, which in tests is that of the JDK, while this is open. */
public final class LogLines extends Handler implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;

    private LogLines(Logger logger) {
        this.logger = logger;
    }

    public static LogLines of(Class<?> type) {
        LogLines log = new LogLines(Logger.getLogger(type.getName()));
        log.logger.addHandler(log);
        return log;
    }

    public List<String> all() {
        return lines;
    }

    @Override
    public void publish(LogRecord entry) {
        Object[] parameters = entry.getParameters();
        lines.add(
                parameters == null || parameters.length == 0
                        ? entry.getMessage()
                        : MessageFormat.format(entry.getMessage(), parameters));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
