package dev.penstock.bench.soak.hostile;

import dev.penstock.bench.server.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Sends gRPC messages that are too long, truncated, badly flagged or in an unknown encoding. */
final class GrpcMistakes extends RepeatedAttack {
    /** A call with a mistake, and the gRPC status that it must get. */
    private record Mistake(int flag, int length, int sent, String encoding, int status) {}

    private static final int INVALID_ARGUMENT = 3;
    private static final int RESOURCE_EXHAUSTED = 8;
    private static final int UNIMPLEMENTED = 12;

    private static final List<Mistake> MISTAKES = List.of(
            new Mistake(0, 2 << 20, 10, "", RESOURCE_EXHAUSTED),
            new Mistake(0, 1 << 20, 1 << 20, "", RESOURCE_EXHAUSTED),
            new Mistake(0, 100, 10, "", INVALID_ARGUMENT),
            new Mistake(7, 10, 10, "", INVALID_ARGUMENT),
            new Mistake(1, 10, 10, "gzip", INVALID_ARGUMENT),
            new Mistake(1, 10, 10, "zork", UNIMPLEMENTED));

    private int turns;

    GrpcMistakes(List<Target> targets) {
        super("gRPC mistakes", targets, 200);
    }

    @Override
    void turn(Target target) throws IOException {
        Mistake mistake = MISTAKES.get(turns++ / 2 % MISTAKES.size());
        byte[] body = ByteBuffer.allocate(mistake.sent() + 5)
                .put((byte) mistake.flag())
                .putInt(mistake.length())
                .array();
        try (RawConnection connection = connect(target.port())) {
            connection.send("POST " + Wire.GRPC.path() + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                    + Wire.GRPC.contentType() + "\r\nTE: trailers\r\nContent-Length: " + body.length
                    + (mistake.encoding().isEmpty() ? "" : "\r\ngrpc-encoding: " + mistake.encoding()) + "\r\n\r\n");
            connection.send(body);
            int status = connection.grpcStatus();
            if (status == mistake.status()) {
                counts().answered();
            } else {
                counts().unexpected(name() + ": status " + status + " for " + mistake);
            }
        }
    }
}
