package dev.penstock.tidy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The module descriptors of the project, parsed from their sources: what each module requires and exports. */
final class ModuleDescriptors {
    private static final Pattern EXPORT = Pattern.compile("exports\\s+([\\w.]+)\\s+to\\s+([\\w.,\\s]+);");
    private static final Pattern REQUIRE = Pattern.compile("requires\\s+(?:transitive\\s+)?dev\\.penstock\\.(\\w+);");
    private static final Pattern INTERNAL_USE =
            Pattern.compile("\\bdev\\.penstock\\.(?:([a-z]+)\\.)?internal((?:\\.[a-z_]\\w*)*)(?=\\.[A-Z])");

    private final Map<String, JavaSource> byModule;

    private ModuleDescriptors(Map<String, JavaSource> byModule) {
        this.byModule = byModule;
    }

    /** Reads the descriptors of all modules that have one. */
    static ModuleDescriptors ofProject() {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String module : ProjectFiles.modules()) {
            Path file = ProjectFiles.root().resolve(module + "/src/main/java/module-info.java");
            if (Files.isRegularFile(file)) {
                texts.put(module, ProjectFiles.read(file));
            }
        }
        return of(texts);
    }

    static ModuleDescriptors of(Map<String, String> texts) {
        Map<String, JavaSource> sources = new TreeMap<>();
        texts.forEach(
                (module, text) -> sources.put(module, JavaSource.of(module + "/src/main/java/module-info.java", text)));
        return new ModuleDescriptors(sources);
    }

    /** Returns the modules of this project that each descriptor requires. */
    Map<String, Set<String>> required() {
        Map<String, Set<String>> required = new TreeMap<>();
        byModule.forEach((module, source) -> {
            Set<String> others = new HashSet<>();
            Matcher matcher = REQUIRE.matcher(source.code());
            while (matcher.find()) {
                others.add(matcher.group(1));
            }
            required.put(module, others);
        });
        return required;
    }

    /** Returns every use of an internal package that its owner does not export to the module by name. */
    List<String> closedUses(String module, List<JavaSource> sources) {
        List<String> violations = new ArrayList<>();
        for (JavaSource source : sources) {
            if (source.fileName().equals("module-info.java")) {
                continue;
            }
            Matcher matcher = INTERNAL_USE.matcher(source.code());
            while (matcher.find()) {
                String owner = matcher.group(1) == null ? "core" : matcher.group(1);
                if (!owner.equals(module) && !isExported(owner, matcher.group(), "dev.penstock." + module)) {
                    violations.add(source.path() + ":" + source.lineAt(matcher.start()) + ": uses " + matcher.group()
                            + " (expected: an export to dev.penstock." + module + " by name)");
                }
            }
        }
        return violations;
    }

    private boolean isExported(String owner, String internal, String toModule) {
        JavaSource descriptor = byModule.get(owner);
        if (descriptor == null) {
            return false;
        }
        Matcher matcher = EXPORT.matcher(descriptor.code());
        while (matcher.find()) {
            if (matcher.group(1).equals(internal)
                    && Arrays.asList(matcher.group(2).trim().split("\\s*,\\s*")).contains(toModule)) {
                return true;
            }
        }
        return false;
    }

    /** Returns qualified exports without a comment on the line before. */
    List<String> exportsWithoutReason() {
        List<String> violations = new ArrayList<>();
        for (JavaSource source : byModule.values()) {
            List<String> lines = source.text().lines().toList();
            Matcher matcher = EXPORT.matcher(source.code());
            while (matcher.find()) {
                int line = source.lineAt(matcher.start());
                if (line < 2 || !lines.get(line - 2).trim().startsWith("//")) {
                    violations.add(source.path() + ":" + line + ": exports " + matcher.group(1)
                            + " (expected: a comment above it that says why)");
                }
            }
        }
        return violations;
    }
}
