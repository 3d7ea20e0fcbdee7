package dev.penstock.testkit.server;

/** Starts a server, prints the id of its process, and ends without closing it. */
final class ServerLeftBehind {
    private ServerLeftBehind() {}

    public static void main(String[] args) {
        System.out.println(RedisServer.start().pid());
    }
}
