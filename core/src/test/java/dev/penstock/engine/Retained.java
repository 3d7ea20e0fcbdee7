package dev.penstock.engine;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Finds everything that one of our objects keeps alive, through fields of our classes, arrays, and collections of the
 * JDK.
 */
final class Retained {
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> ahead = new ArrayDeque<>();
    private final List<Object> all = new ArrayList<>();

    private Retained() {}

    static List<Object> by(Object root) {
        Retained walk = new Retained();
        walk.add(root);
        while (!walk.ahead.isEmpty()) {
            walk.lookInto(walk.ahead.pop());
        }
        return walk.all;
    }

    private void add(Object object) {
        if (object != null && seen.add(object)) {
            all.add(object);
            ahead.push(object);
        }
    }

    private void lookInto(Object object) {
        if (object instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                add(key);
                add(value);
            });
        } else if (object instanceof Collection<?> collection) {
            collection.forEach(this::add);
        } else if (object instanceof AtomicReferenceArray<?> places) {
            for (int i = 0; i < places.length(); i++) {
                add(places.get(i));
            }
        } else if (object instanceof Object[] array) {
            for (Object each : array) {
                add(each);
            }
        } else {
            lookIntoFields(object);
        }
    }

    private void lookIntoFields(Object object) {
        for (Class<?> type = object.getClass(); isOurs(type); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    try {
                        add(field.get(object));
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }
    }

    private static boolean isOurs(Class<?> type) {
        return type != null && type.getName().startsWith("dev.penstock");
    }
}
