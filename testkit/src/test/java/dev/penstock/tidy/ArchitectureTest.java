package dev.penstock.tidy;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final String ROOT = "dev.penstock";
    private static final String SAMPLE = "dev.penstock.tidy.sample";

    /**
     * The other modules that the shipped code of a module may use. The module {@code core} has the packages that no
     * other module has; every other module {@code x} has {@code dev.penstock.x}.
     */
    private static final Map<String, Set<String>> MAY_USE = new LinkedHashMap<>();

    static {
        MAY_USE.put("bom", Set.of());
        MAY_USE.put("core", Set.of());
        MAY_USE.put("testkit", Set.of("core"));
        MAY_USE.put("redis", Set.of("core"));
        MAY_USE.put("policy", Set.of("core"));
        MAY_USE.put("observe", Set.of("core"));
        MAY_USE.put("umbrella", Set.of("core", "policy", "redis"));
        MAY_USE.put("server", Set.of("core", "observe", "policy", "redis"));
        MAY_USE.put("browser", Set.of());
        MAY_USE.put("cli", Set.of("core", "policy", "server"));
        MAY_USE.put("demo", Set.of("core", "policy", "server", "testkit"));
        MAY_USE.put("bench", Set.of("core", "observe", "policy", "redis", "server", "testkit"));
    }

    private static final JavaClasses SHIPPED = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    private static final JavaClasses BAD = new ClassFileImporter().importPackages(SAMPLE);

    @Test
    void core_dependsOnNothingButTheJdkAndAnnotations() {
        coreStandsAlone(ROOT).check(SHIPPED);
    }

    @Test
    void core_dependingOnALibrary_isCaught() {
        assertThat(coreStandsAlone(SAMPLE).evaluate(BAD).getFailureReport().getDetails())
                .anyMatch(detail -> detail.contains("ImpureAlgorithm.run()"));
    }

    @Test
    void algorithms_dependOnNothingButValues() {
        algorithmsArePure(ROOT).check(SHIPPED);
    }

    @Test
    void algorithms_dependingOnAnEngine_areCaught() {
        assertThat(algorithmsArePure(SAMPLE).evaluate(BAD).getFailureReport().getDetails())
                .anyMatch(detail -> detail.contains("LoopingEngine"));
    }

    @Test
    void internalPackages_haveNoCycles() {
        internalPackagesHaveNoCycles(ROOT).check(SHIPPED);
    }

    @Test
    void internalPackages_withACycle_areCaught() {
        assertThat(internalPackagesHaveNoCycles(SAMPLE).evaluate(BAD).hasViolation())
                .isTrue();
    }

    @Test
    void modules_areAllInTheTable() {
        assertThat(MAY_USE.keySet()).containsExactlyInAnyOrderElementsOf(ProjectFiles.modules());
    }

    /** Checks sources, because the modules that depend on this one are compiled after it. */
    @Test
    void modules_useOnlyWhatTheyMay() {
        List<String> violations = new ArrayList<>();
        for (String module : MAY_USE.keySet()) {
            violations.addAll(forbiddenUses(module, ProjectFiles.under(module + "/src/main/java")));
        }
        assertThat(violations).isEmpty();
    }

    @Test
    void modules_usingWhatTheyMayNot_areCaught() {
        JavaSource imports = JavaSource.of("core/src/main/java/A.java", "import dev.penstock.testkit.ManualClock;");
        JavaSource names = JavaSource.of("testkit/src/main/java/A.java", "new dev.penstock.bench.BenchMain();");

        assertThat(forbiddenUses("core", List.of(imports))).hasSize(1);
        assertThat(forbiddenUses("testkit", List.of(names))).hasSize(1);
        assertThat(forbiddenUses("testkit", List.of(imports))).isEmpty();
    }

    @Test
    void modules_useInternalPackagesOfOthers_onlyIfExportedToThem() {
        List<String> violations = new ArrayList<>();
        for (String module : MAY_USE.keySet()) {
            violations.addAll(
                    ModuleDescriptors.ofProject().closedUses(module, ProjectFiles.under(module + "/src/main/java")));
        }
        assertThat(violations).isEmpty();
    }

    @Test
    void modules_usingAnInternalPackageNotExportedToThem_areCaught() {
        ModuleDescriptors descriptors = ModuleDescriptors.of(Map.of("core", """
                module dev.penstock.core {
                    // One error format.
                    exports dev.penstock.internal to dev.penstock.redis;
                }
                """));
        JavaSource check = JavaSource.of("x/src/main/java/A.java", "import dev.penstock.internal.Expect;");
        JavaSource lease = JavaSource.of("x/src/main/java/A.java", "import dev.penstock.internal.lease.Lease;");
        JavaSource server = JavaSource.of("x/src/main/java/A.java", "new dev.penstock.server.internal.net.Port();");

        assertThat(descriptors.closedUses("redis", List.of(check))).isEmpty();
        assertThat(descriptors.closedUses("core", List.of(lease))).isEmpty();
        assertThat(descriptors.closedUses("policy", List.of(check))).hasSize(1);
        assertThat(descriptors.closedUses("redis", List.of(lease))).hasSize(1);
        assertThat(descriptors.closedUses("cli", List.of(server))).hasSize(1);
    }

    @Test
    void descriptors_requireOnlyModulesTowardCore() {
        ModuleDescriptors.ofProject()
                .required()
                .forEach((module, required) ->
                        assertThat(MAY_USE.get(module)).as(module).containsAll(required));
    }

    @Test
    void descriptors_ofPublishedModules_areThere() {
        assertThat(ModuleDescriptors.ofProject().required().keySet())
                .containsExactlyInAnyOrder("core", "policy", "redis", "observe", "umbrella");
    }

    @Test
    void descriptors_exportsToOurOwnModules_giveAReason() {
        assertThat(ModuleDescriptors.ofProject().exportsWithoutReason()).isEmpty();
        assertThat(ModuleDescriptors.of(Map.of("core", "module a {\n    exports b.internal to c;\n}"))
                        .exportsWithoutReason())
                .hasSize(1);
    }

    private static ArchRule coreStandsAlone(String root) {
        return classes()
                .that(resideInAnyPackage(
                        root, root + ".algorithm..", root + ".engine..", root + ".spi..", root + ".internal.."))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", root + ".."))
                .because("a user of the core gets no other library with it");
    }

    private static ArchRule algorithmsArePure(String root) {
        return classes()
                .that(resideInAPackage(root + ".algorithm.."))
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage(root + ".."))
                        .or(resideInAnyPackage(root, root + ".algorithm.."))
                        .or(type(Expect.class))
                        .or(type(Durations.class)))
                .because("arithmetic that knows values only can be checked and moved to any store");
    }

    private static ArchRule internalPackagesHaveNoCycles(String root) {
        return slices().matching(root + ".internal.(*)..").should().beFreeOfCycles();
    }

    private static List<String> forbiddenUses(String module, List<JavaSource> sources) {
        List<String> violations = new ArrayList<>();
        for (String other : MAY_USE.keySet()) {
            if (other.equals("core")
                    || other.equals(module)
                    || MAY_USE.get(module).contains(other)) {
                continue;
            }
            Pattern use = Pattern.compile("\\bdev\\s*\\.\\s*penstock\\s*\\.\\s*" + other + "\\b");
            for (JavaSource source : sources) {
                if (source.fileName().equals("module-info.java")) {
                    continue; // it names the modules that it exports to
                }
                Matcher matcher = use.matcher(source.code());
                while (matcher.find()) {
                    violations.add(source.path() + ":" + source.lineAt(matcher.start()) + ": uses " + other
                            + " (expected: nothing but " + MAY_USE.get(module) + ")");
                }
            }
        }
        return violations;
    }
}
