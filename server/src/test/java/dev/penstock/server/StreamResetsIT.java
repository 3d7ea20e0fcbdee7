package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams that a client makes the server reset count like those that it resets itself. */
class StreamResetsIT {
    private static final int STREAMS = 2_000;

    @TempDir
    Path directory;

    @Test
    void streamsThatTheServerResets_endTheConnection() throws Exception {
        try (TestService service = TestService.start(directory);
                RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            byte[] header = Http2Bytes.get("/health/live");
            int opened = 0;
            Http2Bytes.Frame frame = Http2Bytes.next(client.in());
            while (frame != null && frame.type() != Http2Bytes.GOAWAY && opened < STREAMS) {
                int stream = 2 * opened++ + 1;
                client.trySend(Http2Bytes.join(
                        Http2Bytes.frame(Http2Bytes.HEADERS, Http2Bytes.END_HEADERS, stream, header),
                        Http2Bytes.frame(Http2Bytes.WINDOW_UPDATE, 0, stream, new byte[4])));
                while (frame != null && frame.type() != Http2Bytes.GOAWAY && !isResetOf(stream, frame)) {
                    frame = Http2Bytes.next(client.in());
                }
            }

            assertThat(opened).as("streams until the connection ended").isLessThan(STREAMS);
            assertThat(service.check("honest")).isTrue();
        }
    }

    private static boolean isResetOf(int stream, Http2Bytes.Frame frame) {
        return frame.type() == Http2Bytes.RST_STREAM && frame.stream() == stream;
    }
}
