package dev.penstock.server.internal.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;

/**
 * Closes a connection at once. The channel's own {@code close} goes through the handler of HTTP/2, which says goodbye and waits
 * for the client: in vain if the client does not read.
 */
final class ForcedClose {
    private ForcedClose() {}

    static void now(Channel connection) {
        ChannelHandlerContext first = connection.pipeline().firstContext();
        if (first != null) { // null: it is closed already
            var unused = first.flush().close(); // the client may still read why
        }
    }
}
