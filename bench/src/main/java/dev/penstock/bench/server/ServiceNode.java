package dev.penstock.bench.server;

import dev.penstock.policy.PolicyErrors;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Runs one service in a separate JVM. Prints its port, and its counts for each line of input. */
public final class ServiceNode {
    private ServiceNode() {}

    /** Runs the service that the first argument names until the end of the input. */
    public static void main(String[] args) throws IOException, PolicyErrors {
        try (Measured service = start(args);
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(service.port());
            while (orders.readLine() != null) {
                System.out.println(service.counts().write());
            }
        }
    }

    private static Measured start(String[] args) throws IOException, PolicyErrors {
        String[] own = Arrays.copyOfRange(args, 1, args.length);
        return args[0].equals(ServerBench.NOOP) ? NoopService.start(own) : PenstockService.start(args[0], own);
    }
}
