package dev.penstock.bench.steady;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AnswerKindTest {
    private static AnswerKind json(int status, String body) {
        return AnswerKind.ofJson(status, Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
    }

    private static ByteBuf message(int... bytes) {
        ByteBuf frame = Unpooled.buffer().writeByte(0).writeInt(bytes.length);
        for (int each : bytes) {
            frame.writeByte(each);
        }
        return frame;
    }

    @Test
    void ofJson_readsTheDecision() {
        assertThat(json(200, "{\"allowed\":true,\"decided_by\":\"store\"}")).isEqualTo(AnswerKind.ALLOWED);
        assertThat(json(200, "{\"allowed\":false,\"reason\":\"limit_exceeded\"}"))
                .isEqualTo(AnswerKind.DENIED);
    }

    @Test
    void ofJson_overload_isNoDenial() {
        assertThat(json(200, "{\"allowed\":false,\"reason\":\"overloaded\"}")).isEqualTo(AnswerKind.OVERLOADED);
        assertThat(json(503, "{\"status\":503,\"reason\":\"overloaded\"}")).isEqualTo(AnswerKind.OVERLOADED);
    }

    @Test
    void ofJson_anythingElse_failed() {
        assertThat(json(503, "{\"title\":\"ending\"}")).isEqualTo(AnswerKind.FAILED);
        assertThat(json(500, "{\"allowed\":true}")).isEqualTo(AnswerKind.FAILED);
        assertThat(json(200, "")).isEqualTo(AnswerKind.FAILED);
    }

    @Test
    void ofEnvoyMessage_readsTheOverallCode() {
        assertThat(AnswerKind.ofEnvoyMessage(message(8, 1))).isEqualTo(AnswerKind.ALLOWED);
        assertThat(AnswerKind.ofEnvoyMessage(message(8, 2, 18, 0))).isEqualTo(AnswerKind.DENIED);
        assertThat(AnswerKind.ofEnvoyMessage(message())).isEqualTo(AnswerKind.FAILED);
    }

    @Test
    void ofGrpc_unavailable_isOverload() {
        assertThat(AnswerKind.ofGrpc(0, AnswerKind.DENIED)).isEqualTo(AnswerKind.DENIED);
        assertThat(AnswerKind.ofGrpc(14, AnswerKind.FAILED)).isEqualTo(AnswerKind.OVERLOADED);
        assertThat(AnswerKind.ofGrpc(13, AnswerKind.ALLOWED)).isEqualTo(AnswerKind.FAILED);
    }
}
