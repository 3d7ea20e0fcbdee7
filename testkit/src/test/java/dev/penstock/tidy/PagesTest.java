package dev.penstock.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the Markdown pages: links are valid, each page has one title, and docs pages say who they are for. */
class PagesTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^(#{1,6}) +(.+)$");
    private static final Pattern PARENT = Pattern.compile("(?s)<parent>.*?<groupId>(.*?)</groupId>.*?"
            + "<version>(.*?)</version>.*?</parent>.*?<artifactId>(.*?)</artifactId>");
    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\">");

    @Test
    void links_areValid() {
        List<String> dead = new ArrayList<>();
        for (Path page : pages()) {
            Matcher link = LINK.matcher(withoutCode(ProjectFiles.read(page)));
            while (link.find()) {
                if (isDead(page, link.group(1))) {
                    dead.add(ProjectFiles.root().relativize(page) + ": " + link.group(1));
                }
            }
        }

        assertThat(dead).isEmpty();
    }

    @Test
    void pages_haveOneTitle() {
        assertThat(pages())
                .allSatisfy(page -> assertThat(HEADING.matcher(withoutCode(ProjectFiles.read(page)))
                                .results()
                                .filter(heading -> heading.group(1).equals("#"))
                                .count())
                        .as(page.toString())
                        .isEqualTo(1));
    }

    /** A heading is at most one level below the one before it, and no two headings of a section are equal. */
    @Test
    void headings_areInOrder() {
        List<String> wrong = new ArrayList<>();
        for (Path page : pages()) {
            String place = ProjectFiles.root().relativize(page).toString();
            List<String> above = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            for (MatchResult heading : HEADING.matcher(withoutBlocks(ProjectFiles.read(page)))
                    .results()
                    .toList()) {
                int level = heading.group(1).length();
                if (level > above.size() + 1) {
                    wrong.add(place + ": a level is skipped before " + heading.group(2));
                }
                while (above.size() >= level) {
                    above.remove(above.size() - 1);
                }
                if (!seen.add(above + heading.group(2))) {
                    wrong.add(place + ": twice in one section: " + heading.group(2));
                }
                above.add(heading.group(2));
            }
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void docsPages_sayWhoTheyAreFor() {
        assertThat(pages().stream()
                        .filter(page -> page.startsWith(ProjectFiles.root().resolve("docs")))
                        .filter(page -> !page.toString().contains("adr")))
                .allSatisfy(page -> assertThat(
                                ProjectFiles.read(page).lines().toList().get(2))
                        .as(page.toString())
                        .startsWith("For "));
    }

    @Test
    void readme_namesTheDependencyThatTheBuildMakes() {
        String readme = ProjectFiles.read(ProjectFiles.root().resolve("README.md"));
        Matcher pom = PARENT.matcher(ProjectFiles.read(ProjectFiles.root().resolve("umbrella/pom.xml")));
        assertThat(pom.find()).isTrue();
        String group = pom.group(1);
        String version = pom.group(2);
        String artifact = pom.group(3);

        assertThat(readme)
                .contains("<groupId>" + group + "</groupId>\n  <artifactId>" + artifact + "</artifactId>\n  <version>"
                        + version + "</version>")
                .contains("implementation(\"" + group + ":" + artifact + ":" + version + "\")");
    }

    @Test
    void isDead_missingFileOrHeading_isFound() {
        Path readme = ProjectFiles.root().resolve("README.md");

        assertThat(isDead(readme, "docs/nothing.md")).isTrue();
        assertThat(isDead(readme, "#nothing")).isTrue();
        assertThat(isDead(readme, "CONTRIBUTING.md")).isFalse();
        assertThat(isDead(readme, "CONTRIBUTING.md#tests")).isFalse();
        assertThat(isDead(readme, "https://www.rfc-editor.org/rfc/rfc9457")).isFalse();
    }

    private static boolean isDead(Path page, String link) {
        if (link.contains("://") || link.startsWith("mailto:")) {
            return false;
        }
        int hash = link.indexOf('#');
        Path target = hash == 0
                ? page
                : page.resolveSibling(hash < 0 ? link : link.substring(0, hash)).normalize();
        if (!Files.exists(target)) {
            return true;
        }
        return hash >= 0
                && target.toString().endsWith(".md")
                && !anchors(target).contains(link.substring(hash + 1));
    }

    /** Returns the anchors of a page: headings as GitHub converts them, and explicit anchors. */
    private static Set<String> anchors(Path page) {
        String text = withoutBlocks(ProjectFiles.read(page));
        Set<String> anchors = new HashSet<>();
        HEADING.matcher(text)
                .results()
                .forEach(heading -> anchors.add(heading.group(2)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .strip()
                        .replace(' ', '-')));
        ANCHOR.matcher(text).results().forEach(anchor -> anchors.add(anchor.group(1)));
        return anchors;
    }

    private static String withoutCode(String text) {
        return withoutBlocks(text).replaceAll("`[^`\n]*`", "");
    }

    private static String withoutBlocks(String text) {
        return text.replaceAll("(?ms)^```.*?^```", "");
    }

    private static List<Path> pages() {
        Path root = ProjectFiles.root();
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !root.relativize(file)
                            .toString()
                            .matches(".*(?:target|node_modules|\\.git|\\.github)[/\\\\].*"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
