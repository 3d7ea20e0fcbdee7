package dev.penstock.server.internal.net;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;

/** Servers for tests that stop at once. By default, Netty would wait two seconds. */
public final class TestServers {
    private TestServers() {}

    /** Returns the builder of a server that stops accepting connections without a delay. */
    public static ServerBuilder builder() {
        return Server.builder().bossGroupFactory(name -> new ConnectionAcceptor().named(name));
    }
}
