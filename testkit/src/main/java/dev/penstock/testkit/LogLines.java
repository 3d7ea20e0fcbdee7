package dev.penstock.testkit;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Captures the log lines of a class, level and text, while this is open. In tests, the log is that of the JDK.
 * Thread-safe.
 */
public final class LogLines extends Handler implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;

    private LogLines(Logger logger) {
        this.logger = logger;
    }

    /** Starts to record the log of the class. */
    public static LogLines of(Class<?> type) {
        LogLines log = new LogLines(Logger.getLogger(type.getName()));
        log.logger.addHandler(log);
        return log;
    }

    /** Returns every line so far. */
    public List<String> all() {
        return lines;
    }

    /** Returns the lines that contain the text. */
    public List<String> with(String text) {
        return lines.stream().filter(line -> line.contains(text)).toList();
    }

    @Override
    public void publish(LogRecord entry) {
        Object[] parameters = entry.getParameters();
        String text = parameters == null || parameters.length == 0
                ? entry.getMessage()
                : MessageFormat.format(entry.getMessage(), parameters);
        lines.add(entry.getLevel() + " " + text);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
