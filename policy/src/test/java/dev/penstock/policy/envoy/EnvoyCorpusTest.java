package dev.penstock.policy.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the files under {@code resources/envoy}. Files in {@code good} load. Files in {@code bad}, and those in {@code
 * refused} when converted, give the errors in the files next to them. Files in {@code convert} become the policies next
 * to them. A directory is one case of several files; the one named {@code merged} defines a domain in two of them.
 */
class EnvoyCorpusTest {
    static final String POLICIES = ".policies.yaml";

    static Path folder(String name) {
        try {
            return Path.of(Objects.requireNonNull(EnvoyCorpusTest.class.getResource("/envoy"))
                            .toURI())
                    .resolve(name);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Stream<Path> cases(String folder) throws IOException {
        try (Stream<Path> files = Files.list(folder(folder))) {
            return files
                    .filter(file -> Files.isDirectory(file)
                            || (file.toString().endsWith(".yaml")
                                    && !file.toString().endsWith(POLICIES)))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    static Stream<Path> good() throws IOException {
        return cases("good");
    }

    static Stream<Path> bad() throws IOException {
        return cases("bad");
    }

    static Stream<Path> convert() throws IOException {
        return cases("convert");
    }

    static Stream<Path> refused() throws IOException {
        return cases("refused");
    }

    private static EnvoyRules load(Path file) throws PolicyErrors {
        SameDomain sameDomain = file.endsWith("merged") ? SameDomain.MERGED : SameDomain.REFUSED;
        return EnvoyRules.loader().sameDomain(sameDomain).load(List.of(file));
    }

    private static String beside(Path file, String ending) throws IOException {
        String name = String.valueOf(file.getFileName()).replace(".yaml", "");
        return Files.readString(file.resolveSibling(name + ending));
    }

    /** Returns the errors with their lines, and with file names relative to their folder. */
    private static String text(Path file, PolicyErrors errors) {
        String folder = (Files.isDirectory(file) ? file : file.getParent())
                + file.getFileSystem().getSeparator();
        return errors.errors().stream()
                .map(PolicyError::withLine)
                .collect(Collectors.joining("\n", "", "\n"))
                .replace(folder, "");
    }

    @ParameterizedTest
    @MethodSource("good")
    void load_goodFile_loadsWithNothingIgnored(Path file) throws PolicyErrors {
        EnvoyRules rules = load(file);

        assertThat(rules.domains()).isNotEmpty();
        assertThat(rules.ignored()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("bad")
    void load_badFile_reportsAllErrors(Path file) throws IOException {
        PolicyErrors errors = catchThrowableOfType(PolicyErrors.class, () -> load(file));

        assertThat(text(file, errors)).isEqualTo(beside(file, ".errors"));
    }

    @ParameterizedTest
    @MethodSource("convert")
    void convert_rules_writesPoliciesThatLoad(Path file) throws IOException, PolicyErrors {
        String policies = EnvoyConverter.convert(load(file));

        assertThat(policies).isEqualTo(beside(file, POLICIES));
        Policies.parse("converted.yaml", policies);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void convert_whatPoliciesCannotExpress_isRefusedByName(Path file) throws IOException, PolicyErrors {
        EnvoyRules rules = load(file);
        PolicyErrors errors = catchThrowableOfType(PolicyErrors.class, () -> EnvoyConverter.convert(rules));

        assertThat(text(file, errors)).isEqualTo(beside(file, ".errors"));
    }

    @Test
    void cases_exist() throws IOException {
        assertThat(good()).hasSizeGreaterThan(5);
        assertThat(bad()).hasSizeGreaterThan(20);
        assertThat(convert()).hasSizeGreaterThan(5);
        assertThat(refused()).hasSizeGreaterThan(2);
    }
}
