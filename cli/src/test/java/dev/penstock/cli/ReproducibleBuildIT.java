package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two builds of the same sources, in different directories, give the same bytes. The second one leaves out the checks of
 * the compiler, which saves most of its time.
 */
class ReproducibleBuildIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    Path directory;

    @Test
    void secondBuild_inAnotherDirectory_givesTheSameJars() throws Exception {
        Bash built = Bash.run(
                directory,
                "(cd '" + ROOT + "' && tar cf - --exclude=target --exclude=.git .) | tar xf - && "
                        + "mvn -B -q -pl cli -am -Dmaven.test.skip=true -Dspotless.check.skip=true"
                        + " -Djavac.checks=-XDunchecked package 2>&1");
        assertThat(built.status()).as(built.out()).isZero();

        List<Path> jars = jars();
        assertThat(jars).hasSizeGreaterThanOrEqualTo(7);
        for (Path jar : jars) {
            assertThat(Files.mismatch(directory.resolve(jar), ROOT.resolve(jar)))
                    .as("first byte at which the two builds of %s differ", jar)
                    .isEqualTo(-1);
        }
    }

    /** The jars of the second build, relative to the root. The service's jar is one of them. */
    private List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.find(
                directory,
                3,
                (path, attributes) -> path.toString().endsWith(".jar")
                        && path.getParent().endsWith("target")
                        && !path.getFileName().toString().startsWith("original-"))) {
            return files.map(directory::relativize).sorted().toList();
        }
    }
}
