package com.example.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.EngineContract;
import dev.penstock.testkit.ManualClock;
import org.junit.jupiter.api.Test;

/** Runs the whole contract on an engine that uses only public packages. */
class SingleLockEngineTest extends EngineContract {
    @Override
    protected Engine createEngine(ManualClock clock) {
        return new SingleLockEngine(clock);
    }

    @Test
    void engine_usesNoInternalPackage() {
        JavaClasses mine = new ClassFileImporter().importPackages("com.example.engine");

        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.penstock..internal..")
                .check(mine);
    }
}
