package dev.penstock.server.internal.settings;

import dev.penstock.server.SettingsInForce.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The value of each setting, from the first source that has one. Not thread-safe. */
final class Values {
    /** The source of a setting that no source has. */
    static final String DEFAULT = "default";

    private final List<Source> strongestFirst;
    private final Problems problems;
    private final Map<String, Setting<?>> asked = new HashMap<>();
    private final Map<String, String> places = new HashMap<>();
    private final List<Entry> entries = new ArrayList<>();

    Values(List<Source> strongestFirst, Problems problems) {
        this.strongestFirst = strongestFirst;
        this.problems = problems;
    }

    /** The value of a setting, unless it was refused. */
    static final class Value<T> {
        private final @Nullable T value;
        private final boolean refused;

        private Value(@Nullable T value, boolean refused) {
            this.value = value;
            this.refused = refused;
        }

        /** Returns the value, or null if there is none. Only within {@link #together}. */
        @Nullable
        T orNull() {
            if (refused) {
                throw new AlreadyReported();
            }
            return value;
        }

        /** Returns the value of a setting that has a default. Only within {@link #together}. */
        T get() {
            T present = orNull();
            if (present == null) {
                throw new IllegalStateException("no default");
            }
            return present;
        }
    }

    /** Reads a setting. Checks the values in all sources, including those that do not win. */
    <T> Value<T> of(Setting<T> setting) {
        return of(setting, setting.byDefault(), DEFAULT);
    }

    /** Reads a setting, with another default. */
    <T> Value<T> of(Setting<T> setting, @Nullable T otherwise, String from) {
        Entry entry = null;
        T strongest = null;
        boolean refused = false;
        for (Source source : strongestFirst) {
            int before = problems.count();
            SourcedValue written = source.written(setting);
            T value = written == null ? null : setting.form().reading().read(written.pieces());
            refused |= problems.count() > before;
            if (written != null && value != null && entry == null) {
                strongest = value;
                entry = new Entry(setting.name(), setting.show(value), written.from());
                places.put(setting.name(), written.place());
            }
        }
        asked.put(setting.name(), setting);
        entries.add(entry != null ? entry : new Entry(setting.name(), setting.show(otherwise), from));
        return new Value<>(entry != null ? strongest : otherwise, refused);
    }

    /**
     * Returns what these settings make together. Returns null if one of them was refused, or if they contradict each
     * other, which is recorded as an error.
     */
    <T> @Nullable T together(Supplier<@Nullable T> making) {
        try {
            return making.get();
        } catch (AlreadyReported e) {
            return null;
        } catch (IllegalArgumentException e) {
            refuse(String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Records an error that begins with a setting's name, at the place where that setting was given. */
    private void refuse(String problem) {
        String[] parts = problem.split(": ", 2);
        Setting<?> setting = asked.get(parts[0]);
        String way = setting == null ? parts[0] : setting.name() + " (" + setting.waysText() + ")";
        problems.add(places.getOrDefault(parts[0], way), parts[parts.length - 1]);
    }

    List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Signals that an error was already recorded. */
    private static final class AlreadyReported extends RuntimeException {
        private static final long serialVersionUID = 1;

        AlreadyReported() {
            super(null, null, false, false);
        }
    }
}
