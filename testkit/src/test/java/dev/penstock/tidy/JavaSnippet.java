package dev.penstock.tidy;

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

/**
 * A block of Java in a Markdown file, as a reader would paste it.
 *
 * <p>A block that declares a class is a whole file; any other is the body of a main method, its imports lifted.
 *
 * @param place the file and the line of the block's first line
 */
record JavaSnippet(String place, String code) {
    private static final String WRAPPER = "Snippet";
    private static final Pattern TYPE = Pattern.compile(
            "^(?:(?:public|final|abstract|sealed|non-sealed)\\s+)*(?:class|interface|enum|record)\\s+(\\w+)");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package\\s+([\\w.]+)\\s*;");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import\\s[^;]+;");

    /** The blocks fenced as {@code java}, in the order of the file. */
    static List<JavaSnippet> in(String fileName, String markdown) {
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
            throw new IllegalArgumentException(fileName + ":" + opened + ": a block that nothing closes");
        }
        return snippets;
    }

    /** Compiles the block into a directory and runs its main method, if it has one. */
    void compileAndRun(Path classes) throws Exception {
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

    /** The block as a whole file. */
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

    /** The name of the type that the block begins with, after its imports and annotations, or null. */
    private String typeName() {
        String bare = JavaSource.of(place, code).code();
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
