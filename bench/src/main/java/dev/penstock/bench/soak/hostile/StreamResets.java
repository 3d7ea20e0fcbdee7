package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;

/** Opens HTTP/2 streams and resets them, or makes the service reset them by a window update of 0. */
final class StreamResets extends RepeatedAttack {
    /** Five times as many as the service allows per minute. */
    private static final int STREAMS = 2_000;

    private static final byte[] CANCEL = {0, 0, 0, 8};

    private int turns;

    StreamResets(List<Target> targets) {
        super("stream resets", targets, 2_000);
    }

    @Override
    void turn(Target target) throws IOException {
        boolean isOwnReset = turns++ % 4 < 2;
        byte[] header = Http2Frames.header(Http2Frames.METHOD_GET, "/health/live");
        try (RawConnection connection = connect(target.port())) {
            connection.send(Http2Frames.hello());
            for (int stream = 1; stream < 2 * STREAMS; stream += 2) {
                byte[] reset = isOwnReset
                        ? Http2Frames.frame(Http2Frames.RST_STREAM, 0, stream, CANCEL)
                        : Http2Frames.frame(Http2Frames.WINDOW_UPDATE, 0, stream, new byte[4]);
                connection.send(Http2Frames.join(
                        Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_HEADERS, stream, header), reset));
            }
            expectCut(connection.isEnded(), STREAMS + " reset streams were accepted");
        }
    }
}
