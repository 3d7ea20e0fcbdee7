package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;

/** Requests large answers over HTTP/2 with a window of 0, so that the service cannot send them. */
final class ClosedWindow extends RepeatedAttack {
    private static final int REQUESTS = 200;

    ClosedWindow(List<Target> targets) {
        super("closed window", targets, 2_000);
    }

    @Override
    void turn(Target target) throws IOException {
        try (RawConnection connection = connect(target.port())) {
            connection.send(Http2Frames.helloWithoutWindow());
            byte[] header = Http2Frames.header(Http2Frames.METHOD_GET, "/openapi.json");
            int whole = Http2Frames.END_HEADERS | Http2Frames.END_STREAM;
            for (int i = 0; i < REQUESTS; i++) {
                connection.send(Http2Frames.frame(Http2Frames.HEADERS, whole, 2 * i + 1, header));
            }
            expectCut(connection.isEnded(), "answers were held back for a minute");
        }
    }
}
