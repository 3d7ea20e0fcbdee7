package dev.penstock.policy.address;

import dev.penstock.policy.text.CountText;
import dev.penstock.policy.text.Unexpected;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A set of addresses, made of ranges. The time of a lookup grows with the logarithm of their number. */
public final class IpRanges {
    /** A network or a single address. */
    public record Range(IpAddress first, IpAddress last) {
        /** Parses {@code 10.0.0.0/8} or an address. */
        public static Range parse(String text) throws Unexpected {
            int slash = text.indexOf('/');
            IpAddress address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
            if (address == null) {
                throw new Unexpected("an address or a range such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32");
            }
            int widest = address.isV4() ? 32 : 128;
            int bits = slash < 0 ? widest : bits(text.substring(slash + 1), widest);
            if (!address.network(bits).equals(address)) {
                throw new Unexpected("the first address of a range, " + address.network(bits) + "/" + bits);
            }
            return new Range(address, address.lastOf(bits));
        }

        /** Returns the notation that {@link #parse} reads, without a slash for a single address. */
        @Override
        public String toString() {
            if (first.equals(last)) {
                return first.toString();
            }
            int bits = 0;
            while (!first.lastOf(bits).equals(last)) {
                bits++;
            }
            return first + "/" + bits;
        }

        private static int bits(String text, int widest) throws Unexpected {
            String expected = "a range with 0 to " + widest + " after the slash";
            if (!text.matches("\\d{1,3}")) {
                throw new Unexpected(expected);
            }
            long bits = CountText.parse(text);
            if (bits > widest) {
                throw new Unexpected(expected);
            }
            return (int) bits;
        }
    }

    /** The ranges of one address family. {@code ::/0} contains no IPv4 address. */
    private static final class Family {
        private final IpAddress[] firsts;
        private final IpAddress[] lasts;

        Family(List<Range> ranges) {
            List<Range> sorted = new ArrayList<>(ranges);
            sorted.sort(Comparator.comparing(Range::first));
            List<Range> merged = new ArrayList<>();
            for (Range range : sorted) {
                Range before = merged.isEmpty() ? null : merged.get(merged.size() - 1);
                if (before == null || !range.first().isAtMost(before.last())) {
                    merged.add(range);
                } else if (before.last().isAtMost(range.last())) {
                    merged.set(merged.size() - 1, new Range(before.first(), range.last()));
                }
            }
            firsts = merged.stream().map(Range::first).toArray(IpAddress[]::new);
            lasts = merged.stream().map(Range::last).toArray(IpAddress[]::new);
        }

        Stream<Range> all() {
            return IntStream.range(0, firsts.length).mapToObj(i -> new Range(firsts[i], lasts[i]));
        }

        boolean contains(IpAddress address) {
            int low = 0;
            int high = firsts.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (firsts[middle].isAtMost(address)) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low > 0 && address.isAtMost(lasts[low - 1]);
        }
    }

    private final Family v4;
    private final Family v6;

    /** Creates the set of all addresses in these ranges, which may overlap. */
    public IpRanges(List<Range> ranges) {
        v4 = new Family(ranges.stream().filter(range -> range.first().isV4()).toList());
        v6 = new Family(ranges.stream().filter(range -> !range.first().isV4()).toList());
    }

    /**
     * Returns the fewest ranges that contain exactly these addresses. They do not touch, and those of each family are
     * sorted.
     */
    public List<Range> all() {
        return Stream.of(v4, v6).flatMap(Family::all).toList();
    }

    /** Returns true if one of the ranges contains the address. Runs a binary search. */
    public boolean contains(IpAddress address) {
        return (address.isV4() ? v4 : v6).contains(address);
    }
}
