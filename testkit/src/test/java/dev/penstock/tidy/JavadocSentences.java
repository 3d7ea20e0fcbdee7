package dev.penstock.tidy;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Finds public types and methods whose Javadoc has no first sentence. Sources are parsed by the JDK's compiler. */
final class JavadocSentences {
    private JavadocSentences() {}

    /** Returns {@code file:line name: problem} for each public or protected type and method that lacks a first sentence. */
    static List<String> missing(List<JavaSource> sources) {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        JavacTask task = (JavacTask) compiler.getTask(
                null,
                null,
                null,
                List.of("-proc:none"),
                null,
                sources.stream().map(Source::new).toList());
        List<String> problems = new ArrayList<>();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                new Scanner(DocTrees.instance(task), unit, problems).scan(unit, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return problems;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(JavaSource source) {
            super(URI.create("string:///" + source.path()), JavaFileObject.Kind.SOURCE);
            this.text = source.text();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Scanner extends TreePathScanner<Void, Void> {
        private final DocTrees trees;
        private final CompilationUnitTree unit;
        private final List<String> problems;

        Scanner(DocTrees trees, CompilationUnitTree unit, List<String> problems) {
            this.trees = trees;
            this.unit = unit;
            this.problems = problems;
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            if (!isVisible(type.getModifiers())) {
                return null; // nothing inside is visible either
            }
            check(type, type.getSimpleName().toString());
            return super.visitClass(type, null);
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            ModifiersTree modifiers = method.getModifiers();
            boolean isOverride = modifiers.getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
            boolean isConstructorOfRecord =
                    method.getReturnType() == null && enclosing().getKind() == Tree.Kind.RECORD;
            if (isVisible(modifiers) && !isOverride && !isConstructorOfRecord) {
                check(method, method.getName().toString());
            }
            return null; // no type inside a method is visible
        }

        private ClassTree enclosing() {
            return (ClassTree) getCurrentPath().getParentPath().getLeaf();
        }

        private boolean isVisible(ModifiersTree modifiers) {
            Set<Modifier> flags = modifiers.getFlags();
            TreePath parent = getCurrentPath().getParentPath();
            boolean isInInterface = parent.getLeaf() instanceof ClassTree type
                    && (type.getKind() == Tree.Kind.INTERFACE || type.getKind() == Tree.Kind.ANNOTATION_TYPE);
            return flags.contains(Modifier.PUBLIC)
                    || flags.contains(Modifier.PROTECTED)
                    || (isInInterface && !flags.contains(Modifier.PRIVATE));
        }

        private void check(Tree tree, String name) {
            DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
            String first = comment == null
                    ? "no Javadoc"
                    : String.join(
                            "",
                            comment.getFirstSentence().stream()
                                    .map(Object::toString)
                                    .toList());
            if (comment == null || first.isBlank() || first.startsWith("The same")) {
                long at = trees.getSourcePositions().getStartPosition(unit, tree);
                problems.add(unit.getSourceFile().getName().substring(1) + ":"
                        + unit.getLineMap().getLineNumber(at) + " " + name + ": "
                        + (first.isBlank() ? "no first sentence" : first));
            }
        }
    }
}
