package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Sends HTTP/1.1 requests one after the other and reads none of the answers. */
final class PipelinedRequests extends RepeatedAttack {
    private static final long FLOOD_BYTES = 48 << 20;

    /** A request with a large answer fills the buffers at once. One with a small answer keeps the service busy. */
    private final List<byte[]> thousands = List.of(thousand("/openapi.json"), thousand("/health/live"));

    private int turns;

    PipelinedRequests(List<Target> targets) {
        super("pipelining", targets, 2_000);
    }

    private static byte[] thousand(String path) {
        return HttpRequests.get(path, "Host: localhost\r\n").repeat(1_000).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    void turn(Target target) throws IOException {
        try (RawConnection connection = connect(target.port())) {
            byte[] thousand = thousands.get(turns++ / 2 % thousands.size());
            expectCut(connection.isCutWhileSending(thousand, FLOOD_BYTES), "48 MiB of requests were accepted");
        }
    }
}
