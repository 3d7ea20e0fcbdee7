package dev.penstock.cli.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Writes log events for people: {@code 2026-12-24T18:00:00.000Z WARN  Guard: ...}. Only the first line of an event
 * starts in the first column, so that text from a caller cannot look like another event.
 */
final class PlainLines extends EventLines {
    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder text = new StringBuilder();
        text.append(Instant.ofEpochMilli(event.getTimeStamp()).truncatedTo(ChronoUnit.MILLIS))
                .append(' ')
                .append(String.format("%-5s", event.getLevel()))
                .append(' ')
                .append(event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1))
                .append(": ")
                .append(indented(String.valueOf(event.getFormattedMessage())))
                .append('\n');
        IThrowableProxy failure = event.getThrowableProxy();
        if (failure != null) {
            text.append("  ")
                    .append(indented(ThrowableProxyUtil.asString(failure).strip()))
                    .append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String indented(String message) {
        StringBuilder text = new StringBuilder(message.length());
        for (String line : message.lines().toList()) {
            text.append(text.isEmpty() ? "" : "\n  ");
            line.chars()
                    .map(c -> Character.isISOControl(c) && c != '\t' ? '?' : c)
                    .forEach(c -> text.append((char) c));
        }
        return text.toString();
    }
}
