package dev.penstock.policy.internal.yaml;

import dev.penstock.policy.internal.yaml.YamlNode.Entry;
import dev.penstock.policy.internal.yaml.YamlNode.Mapping;
import dev.penstock.policy.internal.yaml.YamlNode.Scalar;
import dev.penstock.policy.internal.yaml.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A value of a file with the way to it, being read: whoever expects something else of it {@linkplain #refuse says so}, and
 * goes on with what is right. Null answers mean that an error was noted.
 */
public final class Field {
    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_-]+");

    private final SourceFile file;
    private final Findings findings;
    private final String path;
    private final YamlNode node;

    Field(SourceFile file, Findings findings, String path, YamlNode node) {
        this.file = file;
        this.findings = findings;
        this.path = path;
        this.node = node;
    }

    public String file() {
        return file.name();
    }

    /** The way to it: {@code policies[1].limits[0].token_bucket}. */
    public String path() {
        return path;
    }

    public Position at() {
        return node.at();
    }

    /** Where it stands, for another error that speaks of it. */
    public String place() {
        return file.name() + ":" + at().line();
    }

    public YamlNode node() {
        return node;
    }

    public boolean isList() {
        return node instanceof Sequence;
    }

    public boolean isMapping() {
        return node instanceof Mapping;
    }

    /** Whether an error here would still be told: there are only so many of a file. */
    public boolean isHeard() {
        return !findings.isFull(file);
    }

    /** Notes that something else was expected here. */
    public void refuse(String expected) {
        report(node.found() + " (expected: " + expected + ")");
    }

    /** The same where what was found may be a secret. */
    public void refuseUnseen(String expected) {
        hide();
        report("what is written there (expected: " + expected + ")");
    }

    /** Here a secret may stand: no error shows the line. */
    public void hide() {
        findings.hide(file, at());
    }

    /** Notes that something is wrong here, in these words. */
    public void report(String problem) {
        findings.add(file, at(), path, problem);
    }

    /** The same about the word that leads here, rather than about what it says. */
    void reportWord(Scalar word, String problem) {
        findings.add(file, word.at(), path, problem);
    }

    /** Its text, whatever it looks like; null where it is not one. */
    public @Nullable String text(String expected) {
        if (node instanceof Scalar scalar && !scalar.isNothing()) {
            return scalar.text();
        }
        refuse(expected);
        return null;
    }

    /** Its text where it is one; null otherwise, and nothing is noted. */
    public @Nullable String textIfAny() {
        return node instanceof Scalar scalar && !scalar.isNothing() ? scalar.text() : null;
    }

    /** The items of the list that it is. */
    public List<Field> items(String expected) {
        List<Field> items = new ArrayList<>();
        if (node instanceof Sequence sequence) {
            for (YamlNode item : sequence.items()) {
                items.add(new Field(file, findings, path + "[" + items.size() + "]", item));
            }
        } else {
            refuse(expected);
        }
        return items;
    }

    /** The items of the list, or itself where it is a single value. */
    public List<Field> oneOrMore(String expected) {
        return isList() ? items(expected) : List.of(this);
    }

    /** The mapping's values, each under its word. */
    public Words words(String expected) {
        List<Words.Word> words = new ArrayList<>();
        if (node instanceof Mapping mapping) {
            for (Entry entry : mapping.entries()) {
                String word = entry.key().text();
                words.add(new Words.Word(
                        word, entry.key(), new Field(file, findings, pathTo(entry.key()), entry.value())));
            }
        } else {
            refuse(expected);
        }
        return new Words(this, words);
    }

    private String pathTo(Scalar word) {
        if (!PLAIN_WORD.matcher(word.text()).matches()) {
            String shown = word.found();
            return path + "[" + (shown.startsWith("\"") ? shown : "\"" + shown + "\"") + "]";
        }
        return path.isEmpty() ? word.text() : path + "." + word.text();
    }
}
