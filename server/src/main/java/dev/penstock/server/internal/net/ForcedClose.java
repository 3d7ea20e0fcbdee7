package dev.penstock.server.internal.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;

/**
 * Closes a connection at once. The channel's own {@code close} goes through the HTTP/2 handler, which sends GOAWAY and
 * waits for the client. A client that does not read would make it wait forever.
 */
final class ForcedClose {
    private ForcedClose() {}

    static void now(Channel connection) {
        ChannelHandlerContext first = connection.pipeline().firstContext();
        if (first != null) { // null: already closed
            var unused = first.flush().close(); // the client may still read why
        }
    }
}
