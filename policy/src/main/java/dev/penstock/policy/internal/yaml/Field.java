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
 * A value of a file with its path, for use while reading. If a caller expects another value, it {@linkplain #refuse
 * reports} that and continues. A null result means that an error was reported.
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

    /** Returns the path of the value: {@code policies[1].limits[0].token_bucket}. */
    public String path() {
        return path;
    }

    public Position at() {
        return node.at();
    }

    /** Returns the position, for another error that refers to it. */
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

    /** Returns true if an error here would still be shown. The number of errors per file is limited. */
    public boolean isHeard() {
        return !findings.isFull(file);
    }

    /** Reports that another value was expected here. */
    public void refuse(String expected) {
        report(node.found() + " (expected: " + expected + ")");
    }

    /** Reports that another value was expected here, without showing the value, which may be a secret. */
    public void refuseUnseen(String expected) {
        hide();
        report("a value that is not shown (expected: " + expected + ")");
    }

    /** Marks the line as one that may contain a secret, so that no error shows it. */
    public void hide() {
        findings.hide(file, at());
    }

    /** Reports an error here, in these words. */
    public void report(String problem) {
        findings.add(file, at(), path, problem);
    }

    /** Adds a note here, which is not an error. */
    public void note(String text) {
        findings.note(file, at(), path, text);
    }

    /** Reports an error about the word that leads here instead of its value. */
    void reportWord(Scalar word, String problem) {
        findings.add(file, word.at(), path, problem);
    }

    /**
     * Returns the text, even if it looks like another type; reports an error and returns null if it is not a scalar.
     */
    public @Nullable String text(String expected) {
        if (node instanceof Scalar scalar && !scalar.isNothing()) {
            return scalar.text();
        }
        refuse(expected);
        return null;
    }

    /** Returns the text; null without reporting an error if it is not a scalar. */
    public @Nullable String textIfAny() {
        return node instanceof Scalar scalar && !scalar.isNothing() ? scalar.text() : null;
    }

    /** Returns the items of a list. */
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

    /** Returns the items of a list, or the value itself if it is a single one. */
    public List<Field> oneOrMore(String expected) {
        return isList() ? items(expected) : List.of(this);
    }

    /** Returns the values of a mapping by word. */
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
