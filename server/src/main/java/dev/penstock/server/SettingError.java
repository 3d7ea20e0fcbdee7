package dev.penstock.server;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with the settings, and where.
 *
 * @param place the flag, the variable, or the place in the file: {@code penstock.yaml:3:7 port}
 * @param problem what was found, and what was expected
 * @param excerpt the line of the file with a mark below the place; null where there is none, and where it may hold a secret
 */
public record SettingError(
        String place, String problem, @Nullable String excerpt) {
    @Override
    public String toString() {
        return place + ": " + problem;
    }
}
