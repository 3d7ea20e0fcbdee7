package dev.penstock.server;

import org.jspecify.annotations.Nullable;

/**
 * One error in the settings, with its place.
 *
 * @param place the flag, the variable, or the place in the file: {@code penstock.yaml:3:7 port}
 * @param problem the value found and what was expected
 * @param excerpt the line of the file with a mark below the place; null if there is no such line or it may contain a
 *     secret
 */
public record SettingError(
        String place, String problem, @Nullable String excerpt) {
    @Override
    public String toString() {
        return place + ": " + problem;
    }
}
