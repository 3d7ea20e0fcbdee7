package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.util.Collections;
import java.util.List;

/** Sends {@code PING} frames and reads none of the answers. */
final class PingFlood extends RepeatedAttack {
    private static final long FLOOD_BYTES = 48 << 20;

    private final byte[] thousand;

    PingFlood(List<Target> targets) {
        super("ping flood", targets, 2_000);
        byte[] ping = Http2Frames.frame(Http2Frames.PING, 0, 0, new byte[8]);
        this.thousand = Http2Frames.join(Collections.nCopies(1_000, ping).toArray(byte[][]::new));
    }

    @Override
    void turn(Target target) throws IOException {
        try (RawConnection connection = connect(target.port())) {
            connection.send(Http2Frames.hello());
            expectCut(connection.isCutWhileSending(thousand, FLOOD_BYTES), "48 MiB of PING were accepted");
        }
    }
}
