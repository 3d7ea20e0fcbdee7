import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reports how a test run ended: the failures, the tests that were not run with the reasons, and the counts as the last
 * line.
 *
 * <p>Counts the reports of Surefire ({@code *Test}) and of Failsafe ({@code *IT}).
 *
 * <p>Arguments: the project's root, 0 if all Maven processes succeeded, their logs in one file, {@code always} or
 * {@code never} for color, and {@code quick} if only unit tests were requested. Exits with 1 if Maven or a test failed,
 * or if no test ran.
 */
final class TestCounts {
    private static final int LENGTH_AT_MOST = 400;
    private static final Pattern ESCAPE = Pattern.compile("\u001b\\[[0-9;]*m");
    private static final Pattern FAILED_GOAL = Pattern.compile(
            "\\[ERROR\\] Failed to execute goal (?:[^:]+:)?([^:]+):[^:]+:(\\S+).* on project ([^:]+):(.*)");
    private static final Pattern ERROR =
            Pattern.compile("(?:\\[ERROR\\] +|Unable to parse command line options: )(\\S.*)");
    private static final Pattern WARNING = Pattern.compile("\\[WARNING\\] (.+\\.java:\\[.*)");
    private static final Pattern SKIPPED_MODULE = Pattern.compile("\\[INFO\\] (.+?) \\.* *SKIPPED.*");

    private final List<String> failed = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private long passed;

    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        boolean mavenFailed = !args[1].equals("0");
        String log = new String(Files.readAllBytes(Path.of(args[2])), Charset.defaultCharset());
        List<String> lines = ESCAPE.matcher(log).replaceAll("").lines().toList();
        boolean color = args[3].equals("always");
        boolean quick = args.length > 4 && args[4].equals("quick");

        TestCounts counts = new TestCounts();
        List<String> problems = new ArrayList<>();
        for (Path report : reports(root)) {
            try {
                counts.add(report);
            } catch (XMLStreamException e) {
                problems.add("unreadable report " + root.relativize(report) + " (" + e.getMessage() + ")");
            }
        }
        if (mavenFailed) {
            problems.addAll(counts.mavenProblems(lines));
        } else if (counts.total() == 0) {
            problems.add("no test ran");
        }
        System.exit(counts.print(problems, untestedModules(root, lines, quick), mavenFailed, color));
    }

    private static List<Path> reports(Path root) throws IOException {
        List<Path> reports = new ArrayList<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.sorted().toList()) {
                for (String kind : List.of("surefire-reports", "failsafe-reports")) {
                    Path directory = module.resolve("target").resolve(kind);
                    if (Files.isDirectory(directory)) {
                        try (Stream<Path> files = Files.list(directory)) {
                            files.filter(f -> f.getFileName().toString().matches("TEST-.*\\.xml"))
                                    .sorted()
                                    .forEach(reports::add);
                        }
                    }
                }
            }
        }
        return reports;
    }

    private void add(Path report) throws IOException, XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        try (InputStream in = Files.newInputStream(report)) {
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            String test = null;
            String outcome = null;
            while (xml.hasNext()) {
                int event = xml.next();
                if (event == XMLStreamConstants.START_ELEMENT) {
                    switch (xml.getLocalName()) {
                        case "testcase" -> {
                            test = name(xml.getAttributeValue(null, "classname"), xml.getAttributeValue(null, "name"));
                            outcome = null;
                        }
                        case "failure", "error" -> {
                            if (outcome == null) {
                                outcome = "failed";
                                failed.add(test + ": " + reason(xml));
                            }
                        }
                        case "skipped" -> {
                            if (outcome == null) {
                                outcome = "skipped";
                                skipped.add(test + ", not run: " + reason(xml));
                            }
                        }
                        default -> {}
                    }
                } else if (event == XMLStreamConstants.END_ELEMENT
                        && xml.getLocalName().equals("testcase")
                        && outcome == null) {
                    passed++;
                }
            }
        }
    }

    private static String name(String className, String test) {
        return test == null || test.isEmpty() ? className : className + "." + test;
    }

    /** Returns the beginning of the test's message in one line, or the type of its exception if there is no message. */
    private static String reason(XMLStreamReader xml) throws XMLStreamException {
        String message = xml.getAttributeValue(null, "message");
        String type = xml.getAttributeValue(null, "type");
        String text = xml.getElementText();
        // A test that was aborted by an assumption gives the reason only in the stack trace.
        String first = message == null || message.isBlank()
                ? text.strip().lines().findFirst().orElse("")
                : message.strip().lines().limit(3).map(String::strip).collect(Collectors.joining(" "));
        if (type != null && first.startsWith(type + ": ")) {
            first = first.substring(type.length() + 2);
        }
        if (first.isEmpty()) {
            first = type == null ? "no reason given" : type;
        }
        first = first.replaceFirst("^Assumption failed: ", "");
        return first.length() > LENGTH_AT_MOST ? first.substring(0, LENGTH_AT_MOST) + "..." : first;
    }

    /** Returns what made Maven fail, except failed tests, which are listed separately. */
    private List<String> mavenProblems(List<String> log) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < log.size(); i++) {
            Matcher goal = FAILED_GOAL.matcher(log.get(i));
            if (goal.matches()) {
                String plugin = goal.group(1);
                String said = (goal.group(4).strip() + " " + detail(log, i + 1)).strip();
                boolean testsFailed = plugin.matches("maven-(surefire|failsafe)-plugin")
                        && (said.isEmpty() || said.equals("There are test failures."));
                if (!testsFailed || failed.isEmpty()) {
                    String hint = plugin.startsWith("spotless") ? " (try: penstock format)" : "";
                    problems.add(plugin + ":" + goal.group(2) + " in " + goal.group(3) + ": " + said + hint);
                }
            }
        }
        if (problems.isEmpty() && failed.isEmpty()) {
            String error = first(ERROR, log);
            problems.add(error.isEmpty() ? "Maven failed and gave no reason" : error);
        }
        return problems;
    }

    /** Returns the first line after a failed goal that gives a reason; empty if there is none. */
    private static String detail(List<String> log, int from) {
        for (String line : log.subList(from, log.size())) {
            Matcher error = ERROR.matcher(line);
            String text = error.matches() ? error.group(1) : "";
            if (!line.startsWith("[ERROR]") || text.startsWith("-> [") || text.startsWith("To see the full stack")) {
                return "";
            }
            if (text.contains("-Werror")) {
                return text + ": " + first(WARNING, log);
            }
            if (!text.isEmpty() && !text.startsWith("See ")) {
                return text.replaceFirst(" -> \\[Help \\d+\\]$", "");
            }
        }
        return "";
    }

    /** Returns the text that a pattern captures in the first matching line; empty if none matches. */
    private static String first(Pattern pattern, List<String> log) {
        return log.stream()
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .map(found -> found.group(1))
                .findFirst()
                .orElse("");
    }

    /**
     * Returns the modules that Maven skipped, and those whose integration tests did not run because a unit test failed.
     */
    private static List<String> untestedModules(Path root, List<String> log, boolean quick) throws IOException {
        List<String> untested = new ArrayList<>();
        for (String line : log) {
            Matcher goal = FAILED_GOAL.matcher(line);
            if (!quick && goal.matches() && goal.group(1).equals("maven-surefire-plugin")) {
                String module = goal.group(3);
                if (hasIntegrationTests(root.resolve(module.replaceFirst("^penstock-", "")))) {
                    untested.add("integration tests (*IT) of " + module);
                }
            }
            Matcher skippedModule = SKIPPED_MODULE.matcher(line);
            if (skippedModule.matches()) {
                untested.add(skippedModule.group(1));
            }
        }
        return untested;
    }

    private static boolean hasIntegrationTests(Path module) throws IOException {
        Path tests = module.resolve("src/test/java");
        if (!Files.isDirectory(tests)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(tests)) {
            return files.anyMatch(file -> file.getFileName().toString().endsWith("IT.java"));
        }
    }

    private long total() {
        return passed + failed.size() + skipped.size();
    }

    private int print(List<String> problems, List<String> untested, boolean mavenFailed, boolean color) {
        System.out.println();
        Collections.sort(failed);
        Collections.sort(skipped);
        failed.forEach(test -> System.out.println(paint("31", "FAILED ", color) + test));
        skipped.forEach(test -> System.out.println(paint("33", "SKIPPED ", color) + test));
        problems.forEach(problem -> System.out.println(paint("31", "BUILD FAILED ", color) + problem));
        untested.forEach(
                module -> System.out.println(paint("33", "NOT TESTED ", color) + module + ", because of the above"));
        System.out.println(passed + " passed, " + failed.size() + " failed"
                + (skipped.isEmpty() ? "" : ", " + skipped.size() + " skipped"));
        return mavenFailed || !failed.isEmpty() || !problems.isEmpty() ? 1 : 0;
    }

    private static String paint(String code, String text, boolean color) {
        return color ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
