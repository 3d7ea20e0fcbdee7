package dev.penstock.policy.internal.yaml;

import dev.penstock.policy.internal.yaml.YamlNode.Entry;
import dev.penstock.policy.internal.yaml.YamlNode.Mapping;
import dev.penstock.policy.internal.yaml.YamlNode.Scalar;
import dev.penstock.policy.internal.yaml.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads the single document of a YAML file into a tree, or reports why it cannot.
 *
 * <p>Nesting and the size of the tree, with every alias expanded, are bounded for any input. A duplicate word in a
 * mapping is an error.
 */
public final class YamlReader {
    /** The maximum size of a file, in bytes. */
    public static final int LARGEST_FILE = 8 << 20;

    private static final String STRING_TAG = "tag:yaml.org,2002:str";
    private static final int DEEPEST = 40;

    /** The maximum length of a line. The parser's work grows with its square. */
    private static final int LONGEST_LINE = 256 << 10;

    private static final int MOST_NODES = 2_000_000;

    private final SourceFile file;
    private final Findings findings;
    private final Iterator<Event> events;
    private final Map<String, YamlNode> anchored = new HashMap<>();
    private final IdentityHashMap<YamlNode, Integer> sizes = new IdentityHashMap<>();

    private YamlReader(SourceFile file, Findings findings) {
        this.file = file;
        this.findings = findings;
        LoadSettings settings = LoadSettings.builder()
                .setLabel(file.name())
                .setCodePointLimit(LARGEST_FILE)
                .build();
        this.events = new ParserImpl(settings, new StreamReader(settings, file.text()));
    }

    /** Returns the file's document; null if it has errors, which are added to the findings. */
    public static @Nullable Field read(SourceFile file, Findings findings) {
        try {
            checkSize(file);
            YamlNode document = new YamlReader(file, findings).document();
            return new Field(file, findings, "", document);
        } catch (UnreadableFile wrong) {
            findings.add(file, wrong.at, "", wrong.problem);
        } catch (MarkedYamlEngineException e) {
            findings.add(file, placeOf(e), "", "not YAML: " + problemOf(e));
        } catch (ReaderException e) {
            String character = String.format("U+%04X", e.getCodePoint());
            findings.add(
                    file,
                    file.position(e.getPosition()),
                    "",
                    "not YAML: the character " + character + " (expected: no control characters)");
        } catch (YamlEngineException e) {
            findings.add(file, Position.START, "", "not YAML: " + firstLine(e.getMessage()));
        }
        return null;
    }

    private static boolean isOpenQuote(MarkedYamlEngineException e) {
        return String.valueOf(e.getContext()).contains("quoted scalar")
                && String.valueOf(e.getProblem()).contains("end of stream");
    }

    private static Position placeOf(MarkedYamlEngineException e) {
        boolean begin = isOpenQuote(e) || String.valueOf(e.getContext()).contains("alias");
        return e.getContextMark()
                .filter(mark -> begin)
                .or(e::getProblemMark)
                .map(Position::of)
                .orElse(Position.START);
    }

    /** Describes the problem, with a hint for common mistakes around routes and hosts such as {@code /users/{id}}. */
    private static String problemOf(MarkedYamlEngineException e) {
        if (isOpenQuote(e)) {
            return "a quote that is not closed";
        }
        String problem = firstLine(e.getProblem());
        if (problem.endsWith("but got {")) {
            return problem + " (a text with { in it needs quotes inside [ ] and { })";
        }
        boolean star = String.valueOf(e.getContext()).contains("alias");
        return star ? problem + " (a text that begins with * needs quotes)" : problem;
    }

    private static String firstLine(@Nullable String text) {
        return text == null || text.isBlank()
                ? "it cannot be read"
                : text.strip().lines().findFirst().orElse("");
    }

    private static void checkSize(SourceFile file) throws UnreadableFile {
        if (file.text().length() > LARGEST_FILE) {
            throw new UnreadableFile(Position.START, "too large (expected: at most " + (LARGEST_FILE >> 20) + " MiB)");
        }
        for (int i = 0; i < file.lines().size(); i++) {
            if (file.lines().get(i).length() > LONGEST_LINE) {
                throw new UnreadableFile(
                        new Position(i + 1, 1),
                        "a line of " + file.lines().get(i).length() + " characters (expected: at most " + LONGEST_LINE
                                + ")");
            }
        }
    }

    private YamlNode document() throws UnreadableFile {
        Event event = next();
        while (event.getEventId() == Event.ID.StreamStart || event.getEventId() == Event.ID.Comment) {
            event = next();
        }
        if (event.getEventId() == Event.ID.StreamEnd) {
            return new Scalar(Position.START, "", true);
        }
        YamlNode document = node(next(), 0);
        next(); // the end of the document
        event = next();
        if (event.getEventId() != Event.ID.StreamEnd) {
            throw new UnreadableFile(at(event), "a second document (expected: one document per file)");
        }
        return document;
    }

    private Event next() {
        return events.next();
    }

    private YamlNode node(Event event, int depth) throws UnreadableFile {
        if (depth > DEEPEST) {
            throw new UnreadableFile(at(event), "nested more than " + DEEPEST + " levels deep");
        }
        if (event instanceof AliasEvent alias) {
            return aliased(alias);
        }
        if (event instanceof ScalarEvent scalar) {
            refuseTag(
                    event,
                    scalar.getTag().filter(tag -> !tag.equals(STRING_TAG)).orElse(null));
            return remembered(event, new Scalar(at(event), scalar.getValue(), scalar.isPlain()), 1);
        }
        refuseTag(event, ((CollectionStartEvent) event).getTag().orElse(null));
        return event.getEventId() == Event.ID.SequenceStart ? sequence(event, depth) : mapping(event, depth);
    }

    private YamlNode sequence(Event start, int depth) throws UnreadableFile {
        List<YamlNode> items = new ArrayList<>();
        int size = 1;
        for (Event event = next(); event.getEventId() != Event.ID.SequenceEnd; event = next()) {
            YamlNode item = node(event, depth + 1);
            size = grown(size, item, event);
            items.add(item);
        }
        return remembered(start, new Sequence(at(start), List.copyOf(items)), size);
    }

    private YamlNode mapping(Event start, int depth) throws UnreadableFile {
        List<Entry> entries = new ArrayList<>();
        Set<String> words = new HashSet<>();
        int size = 1;
        for (Event event = next(); event.getEventId() != Event.ID.MappingEnd; event = next()) {
            YamlNode word = node(event, depth + 1);
            if (!(word instanceof Scalar key)) {
                throw new UnreadableFile(at(event), word.found() + " as a key (expected: a text)");
            }
            Event valueEvent = next();
            YamlNode value = node(valueEvent, depth + 1);
            size = grown(size, value, valueEvent);
            if (words.add(key.text())) {
                entries.add(new Entry(key, value));
            } else {
                findings.add(file, key.at(), "", key.found() + " appears twice (expected: once per mapping)");
            }
        }
        return remembered(start, new Mapping(at(start), List.copyOf(entries)), size);
    }

    private int grown(int size, YamlNode by, Event event) throws UnreadableFile {
        int more = size + sizes.getOrDefault(by, 1);
        if (more > MOST_NODES) {
            throw new UnreadableFile(at(event), "more than " + MOST_NODES + " values, with every alias written out");
        }
        return more;
    }

    private YamlNode aliased(AliasEvent alias) throws UnreadableFile {
        YamlNode node = anchored.get(alias.getAlias().getValue());
        if (node == null) {
            String name = "*" + alias.getAlias().getValue();
            throw new UnreadableFile(
                    at(alias), name + " (expected: the name of an anchor that is defined before it and outside of it)");
        }
        return node;
    }

    private YamlNode remembered(Event event, YamlNode node, int size) {
        if (size > 1) {
            sizes.put(node, size);
        }
        if (event instanceof NodeEvent named) {
            named.getAnchor().ifPresent(anchor -> anchored.put(anchor.getValue(), node));
        }
        return node;
    }

    private static void refuseTag(Event event, @Nullable String tag) throws UnreadableFile {
        if (tag != null) {
            throw new UnreadableFile(at(event), "the tag " + tag + " (expected: none)");
        }
    }

    private static Position at(Event event) {
        return event.getStartMark().map(Position::of).orElse(Position.START);
    }

    /** An error after which the rest of the file cannot be read. */
    private static final class UnreadableFile extends Exception {
        private static final long serialVersionUID = 1;

        private final transient Position at;
        private final String problem;

        UnreadableFile(Position at, String problem) {
            super(problem, null, false, false);
            this.at = at;
            this.problem = problem;
        }
    }
}
