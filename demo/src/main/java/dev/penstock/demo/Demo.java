package dev.penstock.demo;

import dev.penstock.Clock;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.server.AdminSettings;
import dev.penstock.server.DrainSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.MetricSettings;
import dev.penstock.server.ObserveSettings;
import dev.penstock.server.PenstockServer;
import dev.penstock.server.RedisUri;
import dev.penstock.server.ServerSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs a service and a simulation around it. Thread-safe. */
final class Demo implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    /** Low enough that the noisy neighbor's requests make a key hot. */
    private static final int HOT_PER_SECOND = 40;

    private static final long TICK_MILLIS = 20;
    private static final long MINUTE_SECONDS = 60;

    private final DemoOptions options;
    private final Consumer<String> lines;
    private final IncidentLog narrator;
    private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
    private final Deque<Runnable> closings = new ArrayDeque<>();
    private IncidentResult results = new IncidentResult(new Summary(List.of()));
    private boolean isClosed;

    /**
     * Creates the demo.
     *
     * @param lines receives the lines of output, without line ends
     */
    Demo(DemoOptions options, Consumer<String> lines) {
        this.options = options;
        this.lines = lines;
        this.narrator = new IncidentLog(lines);
    }

    /**
     * Starts everything. If it fails, {@link #close} stops what was already started.
     *
     * @throws IllegalArgumentException if a port is not available
     */
    synchronized void open() throws IOException, PolicyErrors {
        if (isClosed) {
            return;
        }
        DemoDirectory directory = DemoDirectory.create();
        closings.push(directory::close);
        StoreTrouble store = options.redis() ? new StoreTrouble() : null;
        if (store != null) {
            closings.push(store::close);
        }
        PenstockServer server = PenstockServer.start(settings(directory, store));
        closings.push(server::close);
        introduce(server, directory);

        List<SimulatedClient> callers = SimulatedClients.callers();
        Summary summary =
                new Summary(callers.stream().map(SimulatedClient::name).toList());
        closings.push(
                () -> { // runs after the client has stopped
                    lines.accept("");
                    summary.table().lines().forEach(lines);
                });
        results = new IncidentResult(summary);
        ServiceClient client = new ServiceClient(server.port(), server.adminPort(), summary);
        closings.push(client::close);
        closings.push(narrator::fallSilent);
        Set<Incident> acts = EnumSet.allOf(Incident.class);
        if (store == null) {
            acts.remove(Incident.STORE_AWAY);
        }
        run(
                new World(Clock.system(), options.speed(), acts, callers),
                new PolicyNews(server.policies()),
                client,
                store);
    }

    private ServerSettings settings(DemoDirectory directory, @Nullable StoreTrouble store) {
        MetricSettings byTenant = new MetricSettings(10, MetricSettings.DEFAULT.series(), null);
        return ServerSettings.of(directory.policies())
                .withAt(new ListenAddress(LOOPBACK, options.port()))
                .withAdmin(new AdminSettings(new ListenAddress(LOOPBACK, options.adminPort()))
                        .withAudit(directory.audit()))
                .withRedis(store == null ? null : new RedisUri(store.uri()))
                .withObserve(ObserveSettings.DEFAULT.withMetrics(byTenant).withHotPerSecond(HOT_PER_SECOND))
                .withDrain(new DrainSettings(Duration.ZERO, Duration.ZERO));
    }

    private void introduce(PenstockServer server, DemoDirectory directory) {
        lines.accept("Open http://" + LOOPBACK + ":" + server.adminPort() + "/console");
        lines.accept("");
        lines.accept("service   http://" + LOOPBACK + ":" + server.port());
        lines.accept("policies  " + directory.policies() + " (edit it: changes take effect within two seconds)");
        lines.accept("store     "
                + (options.redis() ? "its own Redis" : "memory (--redis: a Redis that fails and returns)"));
        lines.accept("ends      " + (options.minutes() == 0 ? "with Ctrl-C" : "on its own, or with Ctrl-C"));
        lines.accept("");
    }

    private void run(World world, PolicyNews news, ServiceClient client, @Nullable StoreTrouble store) {
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "demo-world");
            thread.setDaemon(true);
            return thread;
        });
        closings.push(clock::shutdownNow);
        var unused = clock.scheduleAtFixedRate(
                () -> {
                    try {
                        world.tick(turn -> turned(turn, client, store), client::ask);
                        news.since().forEach(what -> narrator.print(world.second(), what));
                        if (options.minutes() > 0 && world.second() >= options.minutes() * MINUTE_SECONDS) {
                            over.complete(null);
                        }
                    } catch (RuntimeException e) {
                        over.completeExceptionally(e);
                    }
                },
                0,
                TICK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private void turned(IncidentChange turn, ServiceClient client, @Nullable StoreTrouble store) {
        if (turn.act().isLoginAttack()) {
            turnedAttack(turn);
        } else if (turn.act() == Incident.NOISY_NEIGHBOUR && !turn.begins()) {
            client.candidates(json -> print(turn.second(), IncidentResult.candidate(json)));
        }
        if (turn.act() == Incident.STORE_AWAY && store != null) {
            var unused = store.turn(turn)
                    .whenComplete((done, failure) ->
                            narrator.print(turn.second(), failure == null ? done : "store: " + failure.getMessage()));
        } else if (turn.begins()) {
            narrator.print(turn.second(), turn.act().text());
        }
    }

    private void turnedAttack(IncidentChange turn) {
        if (turn.begins()) {
            results.began(turn.act());
        } else {
            print(turn.second(), results.ended(turn.act()));
        }
    }

    private void print(long second, @Nullable String what) {
        if (what != null) {
            narrator.print(second, what);
        }
    }

    /**
     * Waits until the time is over or the demo is closed.
     *
     * @throws java.util.concurrent.CompletionException if the simulation failed
     */
    void await() {
        over.join();
    }

    /** Stops everything and prints the summary. Further calls have no effect. */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            while (!closings.isEmpty()) {
                closings.pop().run();
            }
            over.complete(null);
        }
    }
}
