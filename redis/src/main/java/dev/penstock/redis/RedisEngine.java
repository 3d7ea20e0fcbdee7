package dev.penstock.redis;

import dev.penstock.Algorithm;
import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Done;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The engine whose state lives in Redis, where any number of nodes share it.
 *
 * <p>All charges of an ask are decided by one script in one trip: all are made, or none, on the clock of Redis. A command
 * is sent at most once; where its answer is lost, the reply fails and nothing is known of the charge. Thread-safe; no call
 * blocks.
 */
public final class RedisEngine implements Engine {
    private static final String NAME = "redis";
    private static final int ID_BYTES = 16;

    private final RedisClient client;
    private final StatefulRedisConnection<String, byte[]> connection;
    private final ScriptRunner decide;
    private final ScriptRunner permit;
    private final Batcher batcher;
    private final KeyNames names;
    private final long rememberMillis;
    private final SecureRandom random = new SecureRandom();

    private RedisEngine(Builder builder) {
        this.names = new KeyNames(builder.prefix + "1");
        this.rememberMillis = builder.rememberFor.toMillis();
        this.client = builder.resources == null
                ? RedisClient.create(builder.uri)
                : RedisClient.create(builder.resources, builder.uri);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true) // what was sent is never sent again: it may have been carried out
                .build());
        this.connection = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
        this.decide = builder.runner(connection.async(), "rules.lua", "account.lua", "decide.lua");
        this.permit = builder.runner(connection.async(), "rules.lua", "account.lua", "permit.lua");
        ScriptRunner batch = builder.runner(connection.async(), "batch.lua");
        this.batcher = new Batcher(
                together -> batch.run(together.keys(), together.argument()), asked -> decideByItself(asked.ask()));
    }

    /** An engine on the Redis at that address: {@code redis://user:password@host:port/database}. */
    public static Builder at(String uri) {
        return new Builder(RedisURI.create(Expect.text(uri, "uri")));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        BatchedAsk simple = BatchedAsk.of(Expect.present(ask, "ask"), names);
        return Reply.later(simple == null ? decideByItself(ask) : batcher.decide(simple));
    }

    private CompletionStage<Decision> decideByItself(Ask ask) {
        DecideCall call = new DecideCall(ask, names, DecideCall.mayHold(ask) ? newPermitId() : null, rememberMillis);
        return decide.run(call.keys(), call::arguments).thenApply(call::decision);
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        return end(PermitCall.Verb.SETTLE, permitId, actual);
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        return end(PermitCall.Verb.RENEW, permitId, null);
    }

    private Reply<Settlement> end(PermitCall.Verb verb, String permitId, @Nullable Costs actual) {
        String key = names.permit(Expect.text(permitId, "permitId"));
        CompletionStage<Map<String, byte[]>> record = connection.async().hgetall(key);
        return Reply.later(record.thenCompose(known -> {
            PermitCall call = new PermitCall(verb, permitId, key, known, actual, rememberMillis);
            return permit.run(call.keys(), call::arguments).thenApply(PermitCall::settlement);
        }));
    }

    @Override
    public Reply<Done> reset(Ask ask) {
        List<String> keys = new ArrayList<>();
        for (Charge charge : Expect.present(ask, "ask").charges()) {
            names.addAccount(charge, keys);
        }
        return keys.isEmpty()
                ? Done.DONE
                : Reply.later(
                        connection.async().del(keys.toArray(String[]::new)).thenApply(count -> Done.DONE));
    }

    private String newPermitId() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return NAME + "-" + HexFormat.of().formatHex(bytes);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }

    /** Settings of a {@link RedisEngine}. Not thread-safe. */
    public static final class Builder {
        private final RedisURI uri;
        private String prefix = "p";
        private Duration rememberFor = Duration.ofMinutes(1);
        private Clock clock = Clock.system();
        private boolean clockDecides;
        private @Nullable ClientResources resources;

        private Builder(RedisURI uri) {
            this.uri = uri;
        }

        /** What the names of all keys begin with, before the format's version and a colon; {@code p} by default. */
        public Builder prefix(String text) {
            prefix = Expect.text(text, "prefix");
            boolean plain = prefix.chars().noneMatch(c -> c == '{' || c == '}' || c <= ' ' || c > '~');
            Expect.that(plain, "prefix", prefix, "letters, digits and signs, without braces");
            return this;
        }

        /** How long the answer to a settled permit, or to a request with an id, is remembered; a minute by default. */
        public Builder rememberFor(Duration time) {
            Expect.millis(time, Algorithm.LONGEST, "rememberFor");
            rememberFor = time;
            return this;
        }

        /** Threads that the application shares between its clients of Redis; the engine does not end them. */
        public Builder resources(ClientResources shared) {
            resources = Expect.present(shared, "resources");
            return this;
        }

        /** For tests: everything is counted by this clock instead of that of Redis. */
        Builder countBy(Clock other) {
            clock = other;
            clockDecides = true;
            return this;
        }

        private ScriptRunner runner(RedisScriptingAsyncCommands<String, byte[]> commands, String... files) {
            return clockDecides
                    ? new ScriptRunner(Script.onGivenTime(files), commands, clock, ScriptRunner.Time.GIVEN)
                    : new ScriptRunner(Script.of(files), commands, clock, ScriptRunner.Time.OF_THE_STORE);
        }

        public RedisEngine build() {
            return new RedisEngine(this);
        }
    }
}
