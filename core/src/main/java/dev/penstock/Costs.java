package dev.penstock;

import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The cost of a request per unit: {@code requests: 1, tokens: 1200}.
 *
 * <p>Immutable. A unit is any name. A request that states no cost costs 1 in {@link #REQUESTS} and {@link #SLOTS}.
 */
@CheckReturnValue
public final class Costs {
    /** The unit of rates. The default cost is 1. */
    public static final String REQUESTS = "requests";

    /** The unit of concurrency limits. The default cost is 1. */
    public static final String SLOTS = "slots";

    /** The unit of {@linkplain dev.penstock.algorithm.Lockout lockouts}, which block keys. There is no default cost. */
    public static final String STRIKES = "strikes";

    /** The largest cost that can be stated. The capacity of a limit is usually far lower. */
    public static final long MAX = 1L << 52;

    /** Costs of a request that states none. */
    public static final Costs NONE = new Costs(new String[0], new long[0]);

    private final String[] units;
    private final long[] amounts;

    private Costs(String[] units, long[] amounts) {
        this.units = units;
        this.amounts = amounts;
    }

    /** Returns costs that state this amount in one unit and nothing else. */
    public static Costs of(String unit, long amount) {
        return NONE.and(unit, amount);
    }

    /** Returns these costs with another unit, or with another amount for a unit already stated. */
    public Costs and(String unit, long amount) {
        Expect.text(unit, "unit");
        if (amount < 0 || amount > MAX) {
            Expect.between(amount, 0, MAX, "cost of " + unit);
        }
        int at = indexOf(unit);
        boolean known = at >= 0;
        int length = known ? units.length : units.length + 1;
        String[] newUnits = Arrays.copyOf(units, length);
        long[] newAmounts = Arrays.copyOf(amounts, length);
        int where = known ? at : units.length;
        newUnits[where] = unit;
        newAmounts[where] = amount;
        return new Costs(newUnits, newAmounts);
    }

    /** Returns the amount stated for the unit, or {@code otherwise} if none is stated. */
    public long amount(String unit, long otherwise) {
        int at = indexOf(unit);
        return at < 0 ? otherwise : amounts[at];
    }

    /** Returns whether no cost is stated. */
    public boolean isEmpty() {
        return units.length == 0;
    }

    /** Returns the amounts by unit. */
    public Map<String, Long> asMap() {
        Map<String, Long> map = new LinkedHashMap<>();
        for (int i = 0; i < units.length; i++) {
            map.put(units[i], amounts[i]);
        }
        return map;
    }

    private int indexOf(String unit) {
        for (int i = 0; i < units.length; i++) {
            if (units[i].equals(unit)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Costs that && asMap().equals(that.asMap());
    }

    @Override
    public int hashCode() {
        return asMap().hashCode();
    }

    @Override
    public String toString() {
        return asMap().toString();
    }
}
