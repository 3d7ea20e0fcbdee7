package dev.penstock.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A piece of English in the project: a paragraph of Markdown, a comment in a source, or a text that the service shows.
 *
 * @param place the file and the line on which it starts
 * @param text on one line, without markup
 */
record Prose(String place, String text) {
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)(?:^[ \\t]*//[^\\n]*\\n)+|//[^\\n]*");
    private static final Pattern LUA_COMMENT = Pattern.compile("(?m)(?:^[ \\t]*--[^\\n]*\\n)+|--[^\\n]*");
    private static final Pattern YAML_COMMENT = Pattern.compile("(?m)(?:^[ \\t]*#[^\\n]*\\n)+| # [^\\n]*");
    private static final Pattern JSON_TEXT =
            Pattern.compile("\"(?:description|summary|title|annotations)\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
    private static final Pattern JS_STRING = Pattern.compile("['`]((?:[^'`\\\\\\n]|\\\\.)*)['`]");
    private static final Pattern YAML_TEXT =
            Pattern.compile("(?m)^ *(?:summary|description|name): *[\"']?([^\"'|>{\\n]+)");
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z']+");

    int words() {
        return (int) WORD.matcher(text).results().count();
    }

    /** Returns every piece of English under the root, except in generated and downloaded files. */
    static List<Prose> all() {
        List<Prose> found = new ArrayList<>();
        for (Path file : files()) {
            String path = ProjectFiles.root().relativize(file).toString().replace('\\', '/');
            found.addAll(of(path, ProjectFiles.read(file)));
        }
        return found;
    }

    static List<Prose> of(String path, String content) {
        List<Prose> found = new ArrayList<>();
        if (path.endsWith(".md")) {
            markdown(path, content, found);
        } else if (path.endsWith(".java")) {
            comments(path, content, COMMENT, found);
            if (!path.contains("/src/test/")) {
                strings(path, content, STRING, found);
            }
        } else if (path.endsWith(".lua")) {
            comments(path, content, LUA_COMMENT, found);
        } else if (path.endsWith(".yaml")
                || path.endsWith(".yml")
                || path.endsWith("/penstock")
                || path.equals("penstock")) {
            comments(path, content, YAML_COMMENT, found);
            texts(path, content, YAML_TEXT, found);
        } else if (path.endsWith(".json")) {
            texts(path, content, JSON_TEXT, found);
        } else if (path.endsWith(".html")) {
            html(path, content, found);
        } else if (path.endsWith(".js")) {
            comments(path, content, COMMENT, found);
            strings(path, content.replaceAll("\\$\\{[^}]*\\}", "x"), JS_STRING, found);
        }
        return found;
    }

    private static void texts(String path, String content, Pattern pattern, List<Prose> found) {
        Matcher text = pattern.matcher(content);
        while (text.find()) {
            found.add(new Prose(place(path, content, text.start()), text.group(1)));
        }
    }

    /** Adds the text of each line of a page, without tags. */
    private static void html(String path, String content, List<Prose> found) {
        String[] lines =
                content.replaceAll("(?s)<(script|style)\\b.*?</\\1>", "").split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String text = lines[i].replaceAll("<[^>]*>?", "").strip();
            if (!text.isEmpty()) {
                found.add(new Prose(path + ":" + (i + 1), text));
            }
        }
    }

    private static List<Path> files() {
        Path root = ProjectFiles.root();
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> isOurs(root.relativize(file).toString().replace('\\', '/')))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOurs(String path) {
        return !path.contains("target/")
                && !path.startsWith(".")
                && !path.contains("node_modules/")
                && !path.contains("/tidy/")
                && !path.contains("bench/results/")
                && !path.contains("/src/test/resources/")
                && path.matches(".*\\.(?:md|java|lua|yaml|yml|json|html|js)|penstock");
    }

    /** Adds paragraphs, list items and table cells, without code. */
    private static void markdown(String path, String content, List<Prose> found) {
        boolean isCode = false;
        StringBuilder paragraph = new StringBuilder();
        int start = 1;
        int number = 0;
        for (String line : (content + "\n\n").split("\n", -1)) {
            number++;
            if (line.strip().startsWith("```")) {
                isCode = !isCode;
                line = "";
            }
            boolean isStart = line.isBlank() || line.matches("\\s*(?:[-*#|>]|\\d+\\.).*");
            if (isStart && paragraph.length() > 0) {
                add(path, start, paragraph.toString(), found);
                paragraph.setLength(0);
            }
            if (isCode || line.isBlank() || line.matches("[|\\-: ]+")) {
                continue;
            }
            if (line.startsWith("|")) {
                for (String cell : line.split("(?<!\\\\)\\|", -1)) {
                    add(path, number, cell, found);
                }
                continue;
            }
            if (paragraph.length() == 0) {
                start = number;
            }
            paragraph.append(line.strip()).append(' ');
        }
    }

    private static void add(String path, int line, String text, List<Prose> found) {
        String plain = text.replaceAll("`[^`]*`", "`x`")
                .replaceAll("\\]\\([^)]*\\)", "]")
                .replaceAll("^\\s*(?:[-*#>]+|\\d+\\.)\\s+", "")
                .replaceAll("[\\[\\]*]", "")
                .strip();
        if (!plain.isEmpty()) {
            found.add(new Prose(path + ":" + line, plain));
        }
    }

    private static void comments(String path, String content, Pattern comment, List<Prose> found) {
        Matcher matcher = comment.matcher(content);
        while (matcher.find()) {
            String text = matcher.group()
                    .replaceAll("(?m)^\\s*(?:/\\*\\*?|\\*/|\\*|//+|--+|#+)", " ")
                    .replaceAll("\\*/|/\\*\\*?|//|--", " ")
                    .replaceAll("\\{@(?:code|link|linkplain|value)\\s+([^}]*)\\}", "$1")
                    .replaceAll("\\s+", " ")
                    .strip();
            for (String part : text.split("<p>|@param \\S+|@return|@throws \\S+|<li>", -1)) {
                if (!part.isBlank()) {
                    found.add(new Prose(place(path, content, matcher.start()), part.strip()));
                }
            }
        }
    }

    /** Adds strings of several words: messages, descriptions, help. */
    private static void strings(String path, String content, Pattern string, List<Prose> found) {
        Matcher matcher = string.matcher(
                COMMENT.matcher(content).replaceAll(match -> match.group().replaceAll("[^\\n]", " ")));
        while (matcher.find()) {
            if (matcher.group(1).trim().split(" ", -1).length > 3) {
                found.add(new Prose(place(path, content, matcher.start()), matcher.group(1)));
            }
        }
    }

    private static String place(String path, String content, int at) {
        return path + ":"
                + (1 + content.substring(0, at).chars().filter(c -> c == '\n').count());
    }
}
