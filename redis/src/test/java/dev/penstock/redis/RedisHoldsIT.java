package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many holds on one account. No call may handle all of them, because Redis blocks meanwhile. */
class RedisHoldsIT {
    private static final int HOLDS = 1_000;
    private static final int MOST_EXPIRED = 100;
    private static final int MOST_COMMANDS = 30;
    private static final Duration TERM = Duration.ofMinutes(1);
    private static final Duration APART = Duration.ofMillis(1);
    private static final LimitSettings TERMS = LimitSettings.of("holds", Limit.fixedWindow(HOLDS, Duration.ofDays(1)));

    private final ManualClock clock = new ManualClock();
    private final RedisServer redis = RedisServer.start();
    private final RedisEngine engine =
            RedisEngine.builder(redis.uri()).countBy(clock).build();

    @AfterEach
    void stop() {
        engine.close();
        redis.close();
    }

    @Test
    void expired_oneCallHandlesAHundred_othersStayHeld() {
        hold("ann", HOLDS, Hold.Expiry.GIVE_BACK);
        clock.advance(TERM);
        for (int handled = MOST_EXPIRED; handled <= HOLDS; handled += MOST_EXPIRED) {
            assertThat(remaining("ann")).isEqualTo(handled);
            assertThat(holds("ann")).isEqualTo(HOLDS - handled);
        }
    }

    @Test
    void expired_theOldestIsHandledFirst() {
        PermitHandle first = hold("ann", 1, Hold.Expiry.GIVE_BACK).get(0);
        hold("ann", MOST_EXPIRED - 1, Hold.Expiry.GIVE_BACK);
        PermitHandle last = hold("ann", 1, Hold.Expiry.GIVE_BACK).get(0);
        clock.advance(TERM);
        assertThat(settle(first, 1)).isEqualTo(Settlement.expired());
        assertThat(settle(last, 1)).as("still held after one call").isEqualTo(Settlement.expired());
        assertThat(remaining("ann")).isEqualTo(HOLDS);
    }

    @Test
    void expired_notHandledYet_canStillBeSettledOnce() {
        hold("ann", MOST_EXPIRED, Hold.Expiry.GIVE_BACK);
        PermitHandle last = hold("ann", 1, Hold.Expiry.GIVE_BACK).get(0);
        clock.advance(TERM);
        assertThat(settle(last, 1)).isEqualTo(Settlement.settled(Costs.of("requests", 1)));
        assertThat(settle(last, 1)).isEqualTo(Settlement.settled(Costs.of("requests", 1)));
        assertThat(remaining("ann")).isEqualTo(HOLDS - 1);
    }

    /** An earlier version keeps only the costs of a settlement, and reads only them. */
    @Test
    void settlement_isReadableByEarlierVersions_andTheirsIsReadHere() {
        PermitHandle grant = hold("ann", 1, Hold.Expiry.GIVE_BACK).get(0);
        Settlement settled = settle(grant, 3 * HOLDS);
        assertThat(settled.settled()).isEqualTo(Costs.of("requests", 3 * HOLDS));
        assertThat(settled.charged()).isEqualTo(Costs.of("requests", 2 * HOLDS));
        assertThat(settle(grant, 1)).isEqualTo(settled);

        String record = new KeyNames("p1")
                .permit(PermitId.parse(RedisEngine.NAME, grant.id(), 1).get(0));
        assertThat(redis.command(
                        "EVAL",
                        "return table.concat(cmsgpack.unpack(redis.call('HGET', KEYS[1], 'ending')), ' ')",
                        "1",
                        record))
                .isEqualTo("settled requests " + 3 * HOLDS);
        redis.command("HDEL", record, "charged");
        assertThat(settle(grant, 1)).isEqualTo(Settlement.settled(Costs.of("requests", 3 * HOLDS)));
    }

    @Test
    void expired_charged_countsEachOnce() {
        hold("ann", HOLDS / 2, Hold.Expiry.KEEP_CHARGED);
        clock.advance(TERM);
        for (int i = 0; i < HOLDS / MOST_EXPIRED; i++) {
            assertThat(remaining("ann")).isEqualTo(HOLDS / 2);
        }
        assertThat(holds("ann")).isZero();
    }

    @Test
    void expired_onSeveralAccounts_shareTheBound() {
        for (String user : List.of("ann", "bob", "eve")) {
            hold(user, MOST_EXPIRED, Hold.Expiry.GIVE_BACK);
        }
        clock.advance(TERM);
        Ask all = Ask.of(charge("ann", 0), charge("bob", 0), charge("eve", 0)).peek();
        decide(all);
        assertThat(holds("ann")).isZero();
        assertThat(holds("bob")).isEqualTo(MOST_EXPIRED);
        assertThat(holds("eve")).isEqualTo(MOST_EXPIRED);
    }

    @Test
    void expired_deniedMeanwhile_mayBeRetriedAtOnce() {
        hold("ann", HOLDS, Hold.Expiry.GIVE_BACK);
        clock.advance(TERM.plusHours(1));
        Decision denied = decide(Ask.of(charge("ann", MOST_EXPIRED + 1)));
        assertThat(denied.isAllowed()).isFalse();
        assertThat(denied.toString()).doesNotContain("-PT");
        assertThat(decide(Ask.of(charge("ann", MOST_EXPIRED + 1))).isAllowed()).isTrue();
    }

    @Test
    void clockSetBack_isRepairedWithoutReadingAll() {
        clock.advance(Duration.ofHours(1));
        hold("ann", HOLDS, Hold.Expiry.GIVE_BACK);
        clock.advance(Duration.ofHours(1).negated());
        assertThat(remaining("ann")).isZero();
        clock.advance(TERM.minus(APART.multipliedBy(HOLDS)));
        assertThat(remaining("ann")).isZero();
        clock.advance(APART.multipliedBy(HOLDS));
        for (int handled = MOST_EXPIRED; handled <= HOLDS; handled += MOST_EXPIRED) {
            assertThat(remaining("ann")).as("no hold outlives its lifetime").isEqualTo(handled);
        }
    }

    @Test
    void costOfZero_isNotStored_andSettlesAsBefore() {
        List<PermitHandle> grants = hold("ann", 2, 0, Hold.Expiry.KEEP_CHARGED);
        assertThat(redis.command("EXISTS", key("ann"), key("ann") + ":holds")).isEqualTo("0");
        assertThat(settle(grants.get(0), 3)).isEqualTo(Settlement.settled(Costs.of("requests", 3)));
        assertThat(remaining("ann")).isEqualTo(HOLDS - 3);
        clock.advance(TERM);
        assertThat(settle(grants.get(1), 3)).isEqualTo(Settlement.expired());
        assertThat(remaining("ann")).isEqualTo(HOLDS - 3);
    }

    private List<PermitHandle> hold(String user, int count, Hold.Expiry expiry) {
        return hold(user, count, 1, expiry);
    }

    /** Creates this many holds, at different times. */
    private List<PermitHandle> hold(String user, int count, long cost, Hold.Expiry expiry) {
        Ask ask = Ask.of(charge(user, cost)).hold(Hold.of(TERM).onExpiry(expiry));
        List<CompletableFuture<Decision>> underway = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            underway.add(engine.decide(ask.orTimeout(TERM)).whenReady().toCompletableFuture());
            if ((i + 1) % UnbatchedAsks.MOST_UNDER_WAY == 0) { // if it waited, it would be sent later
                underway.forEach(CompletableFuture::join);
            }
            clock.advance(APART);
        }
        return underway.stream()
                .map(each -> Objects.requireNonNull(((Allowed) each.join()).permitHandle()))
                .toList();
    }

    private long remaining(String user) {
        return decide(Ask.of(charge(user, 0)).peek()).limits().get(0).remaining();
    }

    /** Makes a decision, and checks that it takes few Redis commands, whatever the number of holds. */
    private Decision decide(Ask ask) {
        redis.command("CONFIG", "RESETSTAT");
        Decision decision = engine.decide(ask).whenReady().toCompletableFuture().join();
        long commands = redis.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
        assertThat(commands).as("commands").isLessThan(MOST_COMMANDS);
        return decision;
    }

    private Settlement settle(PermitHandle grant, long actual) {
        return engine.settle(grant.id(), Costs.of("requests", actual))
                .whenReady()
                .toCompletableFuture()
                .join();
    }

    private int holds(String user) {
        return Integer.parseInt(redis.command("ZCARD", key(user) + ":holds"));
    }

    private static String key(String user) {
        return new KeyNames("p1").state(charge(user, 1));
    }

    private static Charge charge(String user, long cost) {
        return Charge.of(TERMS, Key.of("holds", user), cost);
    }
}
