package dev.penstock.cli.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;

/** Events as lines, with nothing before the first and after the last. */
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
