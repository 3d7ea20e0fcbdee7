package dev.penstock.cli.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;

/**
 * Writes log events for programs: one JSON object per line, with {@code time}, {@code level}, {@code logger},
 * {@code thread} and {@code message}.
 */
final class JsonLines extends EventLines {
    private static final JsonFactory JSON = new JsonFactory();

    @Override
    public byte[] encode(ILoggingEvent event) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField(
                    "time", Instant.ofEpochMilli(event.getTimeStamp()).toString());
            json.writeStringField("level", String.valueOf(event.getLevel()));
            json.writeStringField("logger", event.getLoggerName());
            json.writeStringField("thread", event.getThreadName());
            json.writeStringField("message", event.getFormattedMessage());
            IThrowableProxy failure = event.getThrowableProxy();
            if (failure != null) {
                json.writeStringField("error", ThrowableProxyUtil.asString(failure));
            }
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
