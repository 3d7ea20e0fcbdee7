package dev.penstock.bench.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EffortTest {
    @Test
    void since_countsOnlyRedisItselfAndItsScripts() {
        Effort before = Effort.of(7, 100, 1_000, """
                used_cpu_sys:1.5
                used_cpu_user:0.5
                used_cpu_sys_children:9.0
                cmdstat_evalsha:calls=10,usec=100,usec_per_call=10.00,rejected_calls=0,failed_calls=0
                """);
        Effort after = Effort.of(17, 400, 5_000, """
                used_cpu_sys:2.0
                used_cpu_user:0.75
                used_cpu_sys_children:19.0
                cmdstat_get:calls=77,usec=770,usec_per_call=10.00,rejected_calls=0,failed_calls=0
                cmdstat_eval:calls=1,usec=50,usec_per_call=50.00,rejected_calls=0,failed_calls=0
                cmdstat_evalsha:calls=30,usec=300,usec_per_call=10.00,rejected_calls=0,failed_calls=0
                """);

        Effort spent = after.since(before);

        assertThat(spent.answers()).isEqualTo(10);
        assertThat(spent.cpuNanos()).isEqualTo(300);
        assertThat(spent.bytes()).isEqualTo(4_000);
        assertThat(spent.storeNanos()).isCloseTo(750_000_000, within(1.0));
        assertThat(spent.scripts()).isEqualTo(21);
        assertThat(spent.scriptMicros()).isEqualTo(250);
    }
}
