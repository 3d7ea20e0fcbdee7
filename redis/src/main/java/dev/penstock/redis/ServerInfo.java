package dev.penstock.redis;

import dev.penstock.spi.StoreLoad;
import java.math.BigDecimal;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The report of a server about itself, from INFO, which servers allow even where CONFIG is forbidden. Fields that are
 * missing in the report are empty and never cause an error. Immutable.
 *
 * @param mode {@code standalone}, {@code cluster} or {@code sentinel}
 * @param role {@code master} or {@code slave}
 * @param version the version of Redis; empty for other servers with the same protocol
 * @param evictionPolicy which keys are evicted when memory is full
 * @param replicas the number of in-sync replicas; negative if it is not known
 * @param load the memory and processor time; null if they are not known
 */
record ServerInfo(
        String mode,
        String role,
        String version,
        String evictionPolicy,
        int replicas,
        @Nullable StoreLoad load) {
    /**
     * Thrown if a server answers but is not of the kind that the address says. The message says what it is and what was
     * expected.
     */
    static final class WrongServerKind extends RuntimeException {
        private static final long serialVersionUID = 1L;

        WrongServerKind(String message) {
            super(message);
        }
    }

    static final ServerInfo UNKNOWN = new ServerInfo("", "", "", "", -1, null);

    private static final int OLDEST = 7;
    private static final String REDIS = "redis";

    static ServerInfo of(String info) {
        Map<String, String> fields = info.lines()
                .filter(line -> line.indexOf(':') > 0)
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')),
                        line -> line.substring(line.indexOf(':') + 1).strip(),
                        (first, second) -> first));
        String mode = fields.getOrDefault("server_mode", fields.getOrDefault("redis_mode", ""));
        boolean isRedis = fields.getOrDefault("server_name", REDIS).equals(REDIS);
        return new ServerInfo(
                mode,
                fields.getOrDefault("role", ""),
                isRedis ? fields.getOrDefault("redis_version", "") : "",
                fields.getOrDefault("maxmemory_policy", ""),
                fields.containsKey("connected_slaves") ? replicas(fields) : -1,
                load(fields));
    }

    private static @Nullable StoreLoad load(Map<String, String> fields) {
        long used = number(fields, "used_memory");
        long setting = number(fields, "maxmemory");
        long cpuMicros = micros(fields, "used_cpu_sys") + micros(fields, "used_cpu_user");
        if (used <= 0) {
            return null;
        }
        return setting > 0
                ? new StoreLoad(used, setting, StoreLoad.Bound.SETTING, cpuMicros)
                : new StoreLoad(used, number(fields, "total_system_memory"), StoreLoad.Bound.MACHINE, cpuMicros);
    }

    /** Returns a whole number, or 0 if the field has none. */
    private static long number(Map<String, String> fields, String name) {
        String text = fields.getOrDefault(name, "");
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    /** Returns a time in seconds, such as {@code 12.345678}, in microseconds; 0 if the field has none. */
    private static long micros(Map<String, String> fields, String name) {
        String text = fields.getOrDefault(name, "");
        return text.matches("\\d{1,12}(\\.\\d{1,9})?")
                ? new BigDecimal(text).movePointRight(6).longValue()
                : 0;
    }

    /**
     * Counts the replicas by their lines, such as {@code slave0:ip=10.0.0.8,port=6379,state=online,offset=42,lag=0}.
     */
    private static int replicas(Map<String, String> fields) {
        return (int) fields.entrySet().stream()
                .filter(field ->
                        field.getKey().matches("slave\\d+") && field.getValue().contains("state=online"))
                .count();
    }

    /** Rejects a server that cannot decide, or that would fail only later. */
    void expectFit(RedisAddress.Kind kind) {
        String wrong = kind == RedisAddress.Kind.SERVER ? wrongAsOneServer() : null;
        if (wrong == null && isTooOld()) {
            wrong = "Redis " + version + " (expected: Redis " + OLDEST + " or later, or Valkey)";
        }
        if (wrong != null) {
            throw new WrongServerKind(wrong);
        }
    }

    private @Nullable String wrongAsOneServer() {
        if (mode.equals("cluster")) {
            return "a node of a Cluster (expected: one server; redis-cluster://... for a Cluster)";
        } else if (mode.equals("sentinel")) {
            return "a Sentinel (expected: one server; redis-sentinel://...#primary for a primary behind Sentinels)";
        }
        return role.equals("slave") ? "a replica, which is read-only (expected: a primary)" : null;
    }

    private boolean isTooOld() {
        String major = version.split("\\.", 2)[0];
        return !major.isEmpty()
                && major.length() <= 3
                && major.chars().allMatch(Character::isDigit)
                && Integer.parseInt(major) < OLDEST;
    }
}
