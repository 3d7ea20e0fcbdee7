package dev.penstock.spi;

import java.nio.file.Path;
import java.util.List;

/**
 * Opens policy files, for {@link dev.penstock.Penstock}. The module of the policy language registers its implementation
 * with {@link java.util.ServiceLoader}.
 */
public interface PolicyFileProvider {
    /** Policies from files, which follow changes of the files until they are closed. */
    interface WatchedPolicies extends PolicySet, AutoCloseable {
        @Override
        void close();
    }

    /**
     * Loads the policies and watches their files.
     *
     * @throws IllegalArgumentException if the files have errors; the message lists all of them with file, line and
     *     column
     */
    WatchedPolicies watch(List<Path> paths);
}
