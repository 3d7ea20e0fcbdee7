package dev.penstock.server.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpExpectationFailedEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowClientsTest {
    /** The server would log a warning for each event that it does not know. */
    @Test
    void failedExpectation_doesNotReachTheServer_andOtherEventsDo() {
        List<Object> events = new ArrayList<>();
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline()
                .addLast(new SlowClients(channel, 1_000).requests())
                .addLast(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void userEventTriggered(ChannelHandlerContext context, Object event) {
                        events.add(event);
                    }
                });

        channel.pipeline().fireUserEventTriggered(HttpExpectationFailedEvent.INSTANCE);
        channel.pipeline().fireUserEventTriggered("another");

        assertThat(events).containsExactly("another");
    }
}
