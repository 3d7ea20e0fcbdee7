package dev.penstock.testkit.docs;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * A Java block in a Markdown file, as a reader would paste it. Immutable.
 *
 * <p>A block that declares a class is a complete file. Any other block becomes the body of a main method, after its
 * imports.
 *
 * @param place the file and the line of the block's first line
 * @param code the block without its fences
 */
public record JavaSnippet(String place, String code) {
    private static final String WRAPPER = "Snippet";
    private static final Pattern TYPE = Pattern.compile(
            "^(?:(?:public|final|abstract|sealed|non-sealed)\\s+)*(?:class|interface|enum|record)\\s+(\\w+)");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package\\s+([\\w.]+)\\s*;");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)//.*$");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import\\s[^;]+;");

    /** Returns the blocks fenced as {@code java}, in the order of the file. */
    public static List<JavaSnippet> in(String fileName, String markdown) {
        List<JavaSnippet> snippets = new ArrayList<>();
        List<String> lines = markdown.lines().toList();
        List<String> block = new ArrayList<>();
        int opened = 0;
        boolean java = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (opened == 0 && line.startsWith("```")) {
                opened = i + 1;
                java = line.matches("```\\s*java\\b.*");
                block.clear();
            } else if (opened > 0 && line.equals("```")) {
                if (java) {
                    snippets.add(new JavaSnippet(fileName + ":" + (opened + 1), String.join("\n", block)));
                }
                opened = 0;
            } else {
                block.add(lines.get(i));
            }
        }
        if (opened > 0) {
            throw new IllegalArgumentException(fileName + ":" + opened + ": a block without an end");
        }
        return snippets;
    }

    /** Compiles the block into a directory and runs its main method, if it has one. */
    public void compileAndRun(Path classes) throws Exception {
        compile(classes);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, JavaSnippet.class.getClassLoader())) {
            Method main = Class.forName(className(), true, loader).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException e) {
            throw new AssertionError(place + ": " + e.getCause(), e.getCause());
        } catch (NoSuchMethodException e) {
            assertDeclaresAType();
        }
    }

    private void assertDeclaresAType() {
        if (typeName() == null) {
            throw new AssertionError(place + ": nothing to run");
        }
    }

    private void compile(Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        String simpleName = className().substring(className().lastIndexOf('.') + 1);
        JavaFileObject file = new MemoryFile(URI.create("memory:///" + simpleName + ".java"), source());
        List<String> options =
                List.of("-proc:none", "-classpath", System.getProperty("java.class.path"), "-d", classes.toString());
        if (!compiler.getTask(messages, null, null, options, null, List.of(file))
                .call()) {
            throw new AssertionError(place + ": does not compile\n" + messages);
        }
    }

    /** Returns the block as a complete file. */
    String source() {
        if (typeName() != null) {
            return code;
        }
        String imports = IMPORT.matcher(code)
                .results()
                .map(found -> found.group() + "\n")
                .collect(Collectors.joining());
        String body = IMPORT.matcher(code).replaceAll("");
        return imports + "class " + WRAPPER + " {\n    public static void main(String[] args) throws Exception {\n"
                + body + "\n    }\n}\n";
    }

    private String className() {
        String type = typeName();
        if (type == null) {
            return WRAPPER;
        }
        Matcher declared = PACKAGE.matcher(code);
        return declared.find() ? declared.group(1) + "." + type : type;
    }

    /**
     * Returns the name of the type that the block starts with, after imports and annotations; null if it starts with
     * none.
     */
    private @Nullable String typeName() {
        String bare = COMMENT.matcher(code).replaceAll("");
        bare = PACKAGE.matcher(bare).replaceAll("");
        bare = IMPORT.matcher(bare).replaceAll("").strip();
        bare = bare.replaceAll("^(?:@\\w+(?:\\([^)]*\\))?\\s+)+", "");
        Matcher type = TYPE.matcher(bare);
        return type.find() ? type.group(1) : null;
    }

    private static final class MemoryFile extends SimpleJavaFileObject {
        private final String content;

        MemoryFile(URI uri, String content) {
            super(uri, Kind.SOURCE);
            this.content = content;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return content;
        }
    }
}
