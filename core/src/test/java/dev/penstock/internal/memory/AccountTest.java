package dev.penstock.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Limit;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import java.lang.reflect.Field;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AccountTest {
    private final Key key = Key.of("c", "k");
    private final LimitSettings settings = LimitSettings.of("p", Limit.tokenBucket(1, Duration.ofSeconds(1)));
    private final Account account = new Account(new AccountAddress(Charge.of(settings, key, 1), key.bytes()));

    @Test
    void version_overflow_neverLooksDead() throws ReflectiveOperationException {
        Field version = Account.class.getDeclaredField("version");
        version.setAccessible(true);
        version.setInt(account, Integer.MAX_VALUE - 1);
        for (int i = 0; i < 3; i++) {
            assertThat(account.lock()).isTrue();
            assertThat(account.isDead()).isFalse();
            account.unlock();
            assertThat(Account.isFree(account.version())).isTrue();
        }
        assertThat(account.version()).isEqualTo(4);
    }

    @Test
    void lock_afterKill_fails() {
        assertThat(account.lock()).isTrue();
        account.kill();
        assertThat(account.isDead()).isTrue();
        assertThat(account.lock()).isFalse();
    }

    @Test
    void tryLock_atAnOldVersion_fails() {
        int seen = account.version();
        assertThat(account.isStill(seen)).isTrue();
        account.lock();
        account.unlock();
        assertThat(account.isStill(seen)).isFalse();
        assertThat(account.tryLock(seen)).isFalse();
    }
}
