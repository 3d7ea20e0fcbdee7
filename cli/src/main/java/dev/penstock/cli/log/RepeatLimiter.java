package dev.penstock.cli.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Passes each line on to another appender at most once a second, and at most {@value #LINES_PER_LOGGER} lines per
 * second and logger. The next line that passes says how many were left out: {@code ... (780 more like this)}.
 *
 * <p>Two events are the same line if they have the same logger, level, message template and exception class. Memory is
 * bounded: the last {@value #MOST_LINES} lines are remembered, by their first {@value #LONGEST_KEY} characters.
 * Thread-safe.
 */
final class RepeatLimiter extends UnsynchronizedAppenderBase<ILoggingEvent> {
    static final int LINES_PER_LOGGER = 50;
    static final int MOST_LINES = 1_000;
    private static final int LONGEST_KEY = 200;
    private static final long SECOND_MILLIS = 1_000;

    private final Appender<ILoggingEvent> appender;

    /** The lines written most recently, oldest first. Guarded by its own monitor. */
    private final Map<String, Written> lately = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Written> eldest) {
            return size() > MOST_LINES;
        }
    };

    RepeatLimiter(Appender<ILoggingEvent> appender) {
        this.appender = appender;
    }

    /** How often a line was written in the current second, and how often it was left out since it was last written. */
    private static final class Written {
        private final int most;
        private long sinceMillis = Long.MIN_VALUE;
        private int count;
        private long leftOut;

        Written(int most) {
            this.most = most;
        }

        /** Returns true if one more may be written. If the clock was set back, a new second begins. */
        boolean hasRoom(long nowMillis) {
            if (sinceMillis == Long.MIN_VALUE || nowMillis < sinceMillis || nowMillis - sinceMillis >= SECOND_MILLIS) {
                sinceMillis = nowMillis;
                count = 0;
            }
            return count < most;
        }

        /** Counts a line that is written. Returns how many were left out before it. */
        long take() {
            long before = leftOut;
            count++;
            leftOut = 0;
            return before;
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        long leftOut;
        long leftOutOfLogger;
        synchronized (lately) {
            long now = event.getTimeStamp();
            Written line = lately.computeIfAbsent(key(event), unused -> new Written(1));
            Written logger = lately.computeIfAbsent(event.getLoggerName(), unused -> new Written(LINES_PER_LOGGER));
            if (!line.hasRoom(now)) {
                line.leftOut++;
                return;
            }
            if (!logger.hasRoom(now)) {
                logger.leftOut++;
                return;
            }
            leftOut = line.take();
            leftOutOfLogger = logger.take();
        }
        String more = (leftOut == 0 ? "" : " (" + leftOut + " more like this)")
                + (leftOutOfLogger == 0 ? "" : " (" + leftOutOfLogger + " more from this logger)");
        appender.doAppend(more.isEmpty() ? event : withMore(event, more));
    }

    private static String key(ILoggingEvent event) {
        IThrowableProxy failure = event.getThrowableProxy();
        String key = event.getLoggerName()
                + ' '
                + event.getLevel()
                + ' '
                + (failure == null ? "" : failure.getClassName())
                + ' '
                + event.getMessage();
        return key.length() <= LONGEST_KEY ? key : key.substring(0, LONGEST_KEY);
    }

    private ILoggingEvent withMore(ILoggingEvent event, String more) {
        LoggingEvent copy = new LoggingEvent();
        if (getContext() instanceof LoggerContext context) { // appenders expect its properties in the event
            copy.setLoggerContext(context);
        }
        copy.setLoggerContextRemoteView(event.getLoggerContextVO());
        copy.setLoggerName(event.getLoggerName());
        copy.setLevel(event.getLevel());
        copy.setThreadName(event.getThreadName());
        copy.setInstant(event.getInstant());
        copy.setMessage(event.getFormattedMessage() + more);
        if (event.getThrowableProxy() instanceof ThrowableProxy failure) {
            copy.setThrowableProxy(failure);
        }
        return copy;
    }

    @Override
    public void stop() {
        super.stop();
        appender.stop();
    }
}
