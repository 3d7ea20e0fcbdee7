package dev.penstock.bench.soak.hostile;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An attack that repeats the same action on each service in turn, at a bounded rate. Thread-safe. {@link #turn} runs on
 * the attack's own thread.
 */
abstract class RepeatedAttack implements Attack {
    private static final int ACCEPTED = 202;
    private static final int UNAVAILABLE = 503;

    private final String name;
    private final List<Target> targets;
    private final long pauseNanos;
    private final AttackCounts counts = new AttackCounts();
    private final Set<RawConnection> open = ConcurrentHashMap.newKeySet();
    private final Map<Integer, RawConnection> kept = new HashMap<>();
    private final Thread thread;
    private volatile boolean isStopped;

    /**
     * Creates an attack.
     *
     * @param pauseMillis the time between the end of one turn and the start of the next
     */
    RepeatedAttack(String name, List<Target> targets, long pauseMillis) {
        this.name = name;
        this.targets = List.copyOf(targets);
        this.pauseNanos = TimeUnit.MILLISECONDS.toNanos(pauseMillis);
        this.thread = new Thread(this::run, "attack-" + name.replace(' ', '-'));
        thread.setDaemon(true);
    }

    /** Runs one round against one service. An {@link IOException} means that the service closed the connection. */
    abstract void turn(Target target) throws IOException;

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final AttackCounts counts() {
        return counts;
    }

    @Override
    public final void start() {
        thread.start();
    }

    @Override
    public final void stop() {
        isStopped = true;
        open.forEach(RawConnection::close);
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    final boolean isStopped() {
        return isStopped;
    }

    private void run() {
        for (int i = 0; !isStopped; i++) {
            counts.turn();
            try {
                turn(targets.get(i % targets.size()));
            } catch (SocketTimeoutException e) {
                forgetKept();
                if (!isStopped) {
                    counts.unexpected(name + ": neither an answer nor a closed connection");
                }
            } catch (ConnectException e) {
                pause(TimeUnit.SECONDS.toNanos(1)); // the service is stopping or has no room
            } catch (IOException e) {
                forgetKept();
                if (!isStopped) {
                    counts.cut();
                }
            }
            pause(pauseNanos);
        }
        open.forEach(RawConnection::close);
    }

    private void forgetKept() {
        kept.values().forEach(RawConnection::close);
        kept.clear();
    }

    private void pause(long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !isStopped; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Opens a connection that {@link #stop} closes, so that no turn outlives the attack. */
    final RawConnection connect(int port) throws IOException {
        RawConnection connection = RawConnection.to(port, open::remove);
        open.add(connection);
        if (isStopped) {
            connection.close();
        }
        return connection;
    }

    /** Sends an HTTP/1.1 request on a connection that is kept between turns, and counts its answer. */
    final RawConnection.Answer ask(int port, String request, int... statuses) throws IOException {
        RawConnection connection = kept.get(port);
        if (connection == null) {
            connection = connect(port);
            kept.put(port, connection);
        }
        RawConnection.Answer answer = connection.exchange(request);
        expect(answer, statuses);
        return answer;
    }

    /** Counts whether the service closed a connection, as it should have. */
    final void expectCut(boolean isCut, String otherwise) {
        if (isCut && !isStopped) {
            counts.cut();
        } else if (!isStopped) {
            counts.unexpected(name + ": " + otherwise);
        }
    }

    /** Counts an answer, which is as documented if it has one of these statuses. */
    final void expect(RawConnection.Answer answer, int... statuses) {
        for (int status : statuses) {
            if (answer.status() == status) {
                counts.answered();
                return;
            }
        }
        if (answer.status() == UNAVAILABLE || answer.status() == ACCEPTED) {
            counts.busy();
        } else {
            counts.unexpected(name + ": " + answer.status() + " " + answer.body());
        }
    }
}
