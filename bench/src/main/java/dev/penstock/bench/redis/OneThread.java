package dev.penstock.bench.redis;

/** A load that runs on its own thread. */
abstract class OneThread implements RedisLoad {
    private final Thread thread;
    private volatile boolean stopping;

    OneThread(String name) {
        thread = new Thread(this::run, name);
    }

    /** Sends requests until {@link #isStopping}. */
    protected abstract void run();

    final boolean isStopping() {
        return stopping;
    }

    @Override
    public final void start() {
        thread.start();
    }

    @Override
    public void stop() {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
