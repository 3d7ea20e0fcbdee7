package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.server.RedisServer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles a small modular application against the umbrella module and runs it on the module path. */
class ModulePathIT {
    /** The libraries that core, policy and redis need at runtime. Test libraries do not belong on the module path. */
    private static final Pattern NEEDED = Pattern.compile(
            ".*/(core|policy|redis|umbrella)/target/classes|.*/(penstock(-core|-policy|-redis)?|jspecify|snakeyaml-engine"
                    + "|lettuce-core|redis-authx-core|netty-[a-z0-9-]+|reactor-core|reactive-streams|slf4j-api)-[\\w.-]+\\.jar");

    private static final String DESCRIPTOR = "module sample { requires dev.penstock; }";

    private static final String APPLICATION = """
            package sample;

            import dev.penstock.Limiter;
            import dev.penstock.Penstock;
            import dev.penstock.Request;
            import java.nio.file.Path;

            public class Main {
                public static void main(String[] arguments) {
                    System.out.println(Main.class.getModule().getName() + " and " + Limiter.class.getModule().getName());
                    try (Limiter limiter = Penstock.inMemory().policies(Path.of(arguments[0])).build()) {
                        System.out.println(limiter.tryAcquire("user", "alice") + " " + limiter.tryAcquire("user", "alice"));
                    }
                    try (Limiter limiter = Penstock.redis(arguments[1]).policies(Path.of(arguments[0])).build()) {
                        System.out.println(limiter.decide(Request.of("user", "alice")).decidedBy());
                    }
                }
            }
            """;

    @TempDir
    Path directory;

    @Test
    void application_onTheModulePath_readsPoliciesAndDecidesInRedis() throws Exception {
        String modulePath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> NEEDED.matcher(entry.replace('\\', '/')).matches())
                .collect(Collectors.joining(File.pathSeparator));
        Path classes = compiled(modulePath);
        Path policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - name: api
                    limits:
                      - { key: user, fixed_window: 1/day }
                """);

        try (RedisServer redis = RedisServer.start()) {
            List<String> lines = run(
                    "-p",
                    classes + File.pathSeparator + modulePath,
                    "-m",
                    "sample/sample.Main",
                    policies.toString(),
                    redis.uri());

            assertThat(lines).containsSubsequence("sample and dev.penstock.core", "true false", "STORE");
        }
    }

    private Path compiled(String modulePath) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("sources/sample"));
        Path descriptor = Files.writeString(sources.getParent().resolve("module-info.java"), DESCRIPTOR);
        Path main = Files.writeString(sources.resolve("Main.java"), APPLICATION);
        Path classes = directory.resolve("classes");
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-d",
                        classes.toString(),
                        "-p",
                        modulePath,
                        descriptor.toString(),
                        main.toString());
        assertThat(result).as("compiler").isZero();
        return classes;
    }

    private static List<String> run(String... arguments) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        Stream.concat(Stream.of(java), Stream.of(arguments)).toList())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            return output.lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }
}
