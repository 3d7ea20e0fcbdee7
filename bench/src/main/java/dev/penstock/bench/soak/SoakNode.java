package dev.penstock.bench.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.server.AdminSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.PenstockServer;
import dev.penstock.server.RedisUri;
import dev.penstock.server.ServerSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Runs one service in a separate JVM. Prints its port, and its resource usage for each line of input. */
public final class SoakNode {
    private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);

    private SoakNode() {}

    /**
     * Runs a service with the policies in the first argument and the Redis in the second, until the end of the input.
     */
    public static void main(String[] args) throws IOException, PolicyErrors {
        ServerSettings settings = ServerSettings.of(Path.of(args[0]))
                .withAt(ANY_PORT)
                .withAdmin(new AdminSettings(ANY_PORT))
                .withRedis(new RedisUri(args[1]));
        try (PenstockServer server = PenstockServer.start(settings);
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(server.port());
            while (orders.readLine() != null) {
                System.out.println(used());
            }
        }
    }

    private static String used() {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        long descriptors = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
        return heap + " " + threads + " " + descriptors;
    }
}
