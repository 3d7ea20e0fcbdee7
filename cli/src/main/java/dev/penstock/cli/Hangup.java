package dev.penstock.cli;

import java.lang.reflect.Proxy;

/** The signal that a terminal sends when it is closed, by which services are told to read their files again. */
final class Hangup {
    private Hangup() {}

    /** Runs the task at each SIGHUP, where there is such a signal; it is no part of Java, so it is looked for by name. */
    static void onEach(Runnable task) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object running = Proxy.newProxyInstance(
                    Hangup.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        task.run();
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), running);
        } catch (ReflectiveOperationException e) { // not on this platform: changed files are noticed all the same
        }
    }
}
