package dev.penstock.testkit;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class says in the log, which in tests is that of the JDK, while this is open: level and text. Thread-safe. */
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

    /** Those in which the text occurs. */
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
