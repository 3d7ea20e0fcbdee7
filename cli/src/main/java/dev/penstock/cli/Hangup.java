package dev.penstock.cli;

import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * The signal that a terminal sends when it is closed, by which services are told to read their files again. One that comes
 * before there is anything to do is kept until there is.
 */
final class Hangup {
    private @Nullable Runnable task;
    private boolean hasCome;

    private Hangup() {}

    /** From now on the signal does not end the process, where there is such a one; it is no part of Java, so it is looked for by name. */
    static Hangup caught() {
        Hangup hangup = new Hangup();
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object running = Proxy.newProxyInstance(
                    Hangup.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        hangup.come();
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), running);
        } catch (ReflectiveOperationException e) { // not on this platform: changed files are noticed all the same
        }
        return hangup;
    }

    /** Runs the task at each signal, and at once if one has come before. */
    synchronized void onEach(Runnable next) {
        task = next;
        if (hasCome) {
            next.run();
        }
    }

    private synchronized void come() {
        hasCome = true;
        if (task != null) {
            task.run();
        }
    }
}
