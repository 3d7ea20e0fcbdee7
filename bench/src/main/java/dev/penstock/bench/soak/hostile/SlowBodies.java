package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Begins bodies on many HTTP/2 streams and finishes none of them. */
final class SlowBodies extends RepeatedAttack {
    private static final int STREAMS = 100;
    private static final int BODY_BYTES = 16 << 10;

    SlowBodies(List<Target> targets) {
        super("unfinished bodies", targets, 2_000);
    }

    @Override
    void turn(Target target) throws IOException {
        byte[] header = Http2Frames.header(Http2Frames.METHOD_POST, "/v1/check");
        try (RawConnection connection = connect(target.port())) {
            connection.send(Http2Frames.hello());
            for (int i = 0; i < STREAMS; i++) {
                int stream = 2 * i + 1;
                connection.send(Http2Frames.join(
                        Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_HEADERS, stream, header),
                        Http2Frames.frame(Http2Frames.DATA, 0, stream, new byte[BODY_BYTES])));
            }
            Set<Integer> ended = new HashSet<>();
            while (ended.size() < STREAMS) {
                RawConnection.Frame frame = connection.frame();
                if (frame.type() == Http2Frames.HEADERS || frame.type() == Http2Frames.RST_STREAM) {
                    ended.add(frame.stream());
                }
            }
            counts().answered();
        }
    }
}
