package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contents of the jar that runs the service, and its bill of materials. */
class ServiceJarIT {
    private static final Path JAR = Path.of("target", "penstock-cli.jar");
    private static final long MOST_BYTES = 47_500_000;

    private static final String PRE_RELEASE = "(?i).*[.-](alpha|beta|m|rc|cr|pre|preview|ea|snapshot)[.-]?\\d*.*";

    /**
     * Pre-releases that have no release. OpenTelemetry's messages are generated from a stable protocol, but every version
     * of this artifact is named alpha.
     */
    private static final Set<String> ONLY_PRE_RELEASES = Set.of("io.opentelemetry.proto:opentelemetry-proto");

    /** Libraries with versions of their own, unlike the rest of their group. */
    private static final Set<String> OWN_VERSIONS = Set.of(
            "com.fasterxml.jackson.core:jackson-annotations",
            "com.google.guava:failureaccess",
            "com.google.guava:listenablefuture",
            "io.micrometer:context-propagation");

    private static ZipFile jar;
    private static List<String> names;
    private static List<Library> libraries;

    /** A library in the bill of materials. */
    private record Library(String group, String name, String version, Set<String> licenses) {
        static Library of(JsonNode component) {
            Set<String> licenses = new TreeSet<>();
            component.path("licenses").forEach(each -> {
                JsonNode license = each.path("license");
                licenses.add(license.path("id")
                        .asText(license.path("name")
                                .asText(each.path("expression").asText())));
            });
            return new Library(
                    component.path("group").asText(),
                    component.path("name").asText(),
                    component.path("version").asText(),
                    licenses);
        }

        String id() {
            return group + ":" + name;
        }
    }

    /** A line of NOTICE: a title with groups in parentheses, two or more spaces, and the licenses. */
    private record NoticeLine(String title, String licenses) {
        static List<NoticeLine> all(String notice) {
            return notice.lines()
                    .filter(line -> line.matches("  \\S.*\\S {2,}\\S.*"))
                    .map(line -> {
                        int end = line.lastIndexOf("  ");
                        return new NoticeLine(
                                line.substring(0, end).strip(),
                                line.substring(end).strip());
                    })
                    .toList();
        }

        boolean names(Library library) {
            String[] inParentheses = title.split("[(),]+", -1);
            for (String part : inParentheses) {
                String group = part.strip();
                if (group.equals(library.id())
                        || group.equals(library.group)
                        || (group.contains(".") && library.group.startsWith(group + "."))) {
                    return true;
                }
            }
            return false;
        }
    }

    @BeforeAll
    static void open() throws IOException {
        jar = new ZipFile(JAR.toFile());
        names = jar.stream().map(ZipEntry::getName).toList();
        JsonNode components = new ObjectMapper()
                .readTree(text("META-INF/sbom/penstock.cdx.json"))
                .path("components");
        libraries = StreamSupport.stream(components.spliterator(), false)
                .map(Library::of)
                .filter(library -> !library.group.equals("dev.penstock"))
                .toList();
    }

    @AfterAll
    static void close() throws IOException {
        jar.close();
    }

    private static String text(String name) throws IOException {
        return new String(jar.getInputStream(jar.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void size_hasABound() throws IOException {
        assertThat(Files.size(JAR)).isLessThan(MOST_BYTES);
    }

    @Test
    void unusedLibraries_areLeftOut() {
        assertThat(names)
                .noneMatch(name -> name.contains("tcnative") && name.matches(".*\\.(so|dll|jnilib)"))
                .noneMatch(name -> name.contains("brotli"))
                .noneMatch(name -> name.startsWith("net/bytebuddy/agent/"))
                .noneMatch(name -> name.startsWith("kotlin/") || name.startsWith("okhttp3/"))
                .noneMatch(name -> name.startsWith("io/netty/handler/codec/haproxy/"))
                .noneMatch(name -> name.startsWith("io/netty/handler/proxy/"))
                .noneMatch(name -> name.startsWith("io/prometheus/metrics/shaded/"))
                .noneMatch(name -> name.matches("com/linecorp/armeria/server/docs/.*\\.(gz|ttf|png)"));
    }

    @Test
    void licenseAndNotice_areAtTheRoot() throws IOException {
        assertThat(text("LICENSE")).contains("Apache License");
        assertThat(text("NOTICE")).startsWith("Penstock\n");
    }

    @Test
    void notice_namesExactlyTheLibraries_withTheirLicenses() throws IOException {
        List<NoticeLine> lines = NoticeLine.all(text("NOTICE")).stream()
                .filter(line -> !line.title.equals("library"))
                .toList();

        assertThat(libraries).hasSizeGreaterThan(50).allSatisfy(library -> {
            assertThat(library.licenses).as(library.id()).isNotEmpty();
            assertThat(lines)
                    .as(library.id())
                    .anyMatch(line ->
                            line.names(library) && library.licenses.stream().anyMatch(line.licenses::contains));
        });
        assertThat(lines)
                .filteredOn(line -> !line.title.startsWith("Envoy API")) // its messages are generated into the service
                .allSatisfy(line -> assertThat(libraries).as(line.title).anyMatch(line::names));
    }

    @Test
    void libraries_areReleases() {
        assertThat(libraries)
                .filteredOn(library -> library.version.matches(PRE_RELEASE))
                .extracting(Library::id)
                .containsExactlyInAnyOrderElementsOf(ONLY_PRE_RELEASES);
    }

    @Test
    void librariesOfOneGroup_haveOneVersion() {
        Map<String, Set<String>> versions = libraries.stream()
                .filter(library -> !OWN_VERSIONS.contains(library.id()))
                .collect(Collectors.groupingBy(
                        Library::group, Collectors.mapping(Library::version, Collectors.toCollection(TreeSet::new))));
        List<String> skewed = new ArrayList<>();
        versions.forEach((group, found) -> {
            if (found.size() > 1) {
                skewed.add(group + ": " + found);
            }
        });

        assertThat(skewed).isEmpty();
    }
}
