package dev.penstock.cli.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;

/** Encodes log events as lines, without a header or footer. */
abstract class EventLines extends EncoderBase<ILoggingEvent> {
    private static final byte[] NOTHING = {};

    @Override
    public final byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public final byte[] footerBytes() {
        return NOTHING;
    }
}
