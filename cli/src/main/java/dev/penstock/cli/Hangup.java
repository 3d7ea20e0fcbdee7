package dev.penstock.cli;

import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Catches SIGHUP, with which services are asked to reload their files and which a closed terminal sends. A signal that
 * arrives before {@link #onEach} is kept until then.
 */
final class Hangup {
    private @Nullable Runnable task;
    private boolean hasCome;

    private Hangup() {}

    /**
     * Catches the signal, if the platform has it, so that it does not end the process. The JDK class is looked up by
     * name because it is not part of the Java API.
     */
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
        } catch (ReflectiveOperationException e) { // not on this platform; changed files are still detected
        }
        return hangup;
    }

    /** Runs the task at each signal, and at once if one has already arrived. */
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
