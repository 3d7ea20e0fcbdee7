package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;

/** Sends requests that are malformed by RFC 9112 and RFC 9113. */
final class MalformedRequests extends RepeatedAttack {
    private static final List<String> HOSTS = List.of(
            "",
            "Host: a\r\nHost: a\r\n",
            "Host: a\r\nHost: b\r\n",
            "Host: a b\r\n",
            "Host: [::1\r\n",
            "Host: a:1:2\r\n");

    private static final byte[] PATH = Http2Frames.path("/health/live");

    /** Requests without a path and with two. */
    private static final List<byte[]> HEADERS = List.of(
            Http2Frames.join(Http2Frames.METHOD_GET, Http2Frames.SCHEME, Http2Frames.AUTHORITY),
            Http2Frames.join(Http2Frames.METHOD_GET, Http2Frames.SCHEME, PATH, PATH, Http2Frames.AUTHORITY));

    private int turns;

    MalformedRequests(List<Target> targets) {
        super("malformed requests", targets, 100);
    }

    @Override
    void turn(Target target) throws IOException {
        int which = turns++ / 2 % (HOSTS.size() + HEADERS.size());
        try (RawConnection connection = connect(target.port())) {
            if (which < HOSTS.size()) {
                expect(connection.exchange(HttpRequests.get("/health/live", HOSTS.get(which))), 400);
            } else {
                expectReset(connection, HEADERS.get(which - HOSTS.size()));
            }
        }
    }

    private void expectReset(RawConnection connection, byte[] header) throws IOException {
        int whole = Http2Frames.END_HEADERS | Http2Frames.END_STREAM;
        connection.send(
                Http2Frames.join(Http2Frames.hello(), Http2Frames.frame(Http2Frames.HEADERS, whole, 1, header)));
        RawConnection.Frame frame = connection.frameAbout(1);
        if (frame.type() == Http2Frames.RST_STREAM) {
            counts().answered();
        } else {
            counts().unexpected(name() + ": a frame of type " + frame.type());
        }
    }
}
