package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.List;

/** Sends bodies beyond the limit, and unknown {@code Expect} headers. */
final class OversizedBodies extends RepeatedAttack {
    private static final int PIECE_BYTES = 1 << 16;
    private static final long FLOOD_BYTES = 64 << 20;
    private static final int CHUNKS = 18;

    private int turns;

    OversizedBodies(List<Target> targets) {
        super("oversized bodies", targets, 500);
    }

    @Override
    void turn(Target target) throws IOException {
        try (RawConnection connection = connect(target.port())) {
            switch (turns++ / 2 % 3) {
                case 0 -> declared(connection);
                case 1 -> chunked(connection);
                default ->
                    expect(
                            connection.exchange(HttpRequests.get(
                                    "/health/live", "Host: localhost\r\nExpect: foo\r\nConnection: close\r\n")),
                            417);
            }
        }
    }

    private void declared(RawConnection connection) throws IOException {
        connection.send("POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000000\r\n\r\n");
        expectCut(connection.isCutWhileSending(new byte[PIECE_BYTES], FLOOD_BYTES), "64 MiB of a body were accepted");
    }

    private void chunked(RawConnection connection) throws IOException {
        connection.send("POST /v1/check HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
        String chunk = "10000\r\n" + "x".repeat(PIECE_BYTES) + "\r\n";
        for (int i = 0; i < CHUNKS; i++) {
            connection.send(chunk);
        }
        expect(connection.answer(), 413);
    }
}
