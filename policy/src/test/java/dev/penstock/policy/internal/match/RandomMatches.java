package dev.penstock.policy.internal.match;

import dev.penstock.Request;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.address.IpRanges;
import dev.penstock.policy.text.Unexpected;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Random conditions and requests, with few words and attributes, nested and disjoint, so that requests sometimes match.
 */
final class RandomMatches {
    private static final KeyedHash HASH = new KeyedHash("a key of tests 0123".getBytes(StandardCharsets.UTF_8));
    private static final String LETTERS = "ab";
    private static final List<String> SEGMENTS = List.of("a", "b", "c", "ab", "a.b", ".a");
    private static final List<String> NETWORKS = List.of(
            "::/0",
            "0.0.0.0/0",
            "10.0.0.0/8",
            "10.0.0.0/9",
            "10.128.0.0/9",
            "10.1.0.0/16",
            "10.1.2.0/24",
            "10.1.2.3",
            "10.1.2.3/32",
            "11.0.0.0/8",
            "255.255.255.255",
            "::ffff:10.0.0.0/8",
            "2001:db8::/32",
            "2001:db8::/33",
            "2001:db8:8000::/33",
            "2001:db8::1",
            "ffff::/16");
    private static final List<String> ADDRESSES = List.of(
            "10.1.2.3",
            "::ffff:10.1.2.3",
            "10.1.2.255",
            "10.200.0.1",
            "10.255.255.255",
            "11.0.0.0",
            "9.255.255.255",
            "0.0.0.0",
            "255.255.255.255",
            "::",
            "2001:db8::1",
            "2001:0DB8::8000:0",
            "2001:db8:ffff::",
            "2001:db9::",
            "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "10.1.2",
            "nonsense");

    private final SplittableRandom random;

    RandomMatches(SplittableRandom random) {
        this.random = random;
    }

    List<Match> matches() {
        return some(random.nextInt(40), this::match);
    }

    private Match match() {
        return new Match(some(random.nextInt(4), this::condition));
    }

    private Condition condition() {
        return switch (random.nextInt(10)) {
            case 0, 1 ->
                new Condition.OnRoute(some(1 + random.nextInt(3), this::pattern).stream()
                        .sorted()
                        .toList());
            case 2 -> new Condition.OneOf(AttributeNames.METHOD, Set.copyOf(some(1 + random.nextInt(2), this::method)));
            case 3 -> host();
            case 4 -> inRange(random.nextInt(4) == 0 ? "peer" : AttributeNames.IP);
            case 5 -> new Condition.Prefix(attribute(), some(1 + random.nextInt(3), this::word));
            case 6 -> new Condition.Hashed(attribute(), Set.of(HASH.of(word())), HASH);
            case 7 -> new Condition.Not(condition());
            case 8 -> new Condition.Present(attribute());
            default -> new Condition.OneOf(attribute(), Set.copyOf(some(1 + random.nextInt(3), this::word)));
        };
    }

    private Condition host() {
        Set<String> names = Set.copyOf(some(random.nextInt(2), this::name));
        List<String> endings = some(1 + random.nextInt(2), () -> "." + name());
        return random.nextBoolean()
                ? new Condition.OneOf(AttributeNames.HOST, Set.copyOf(some(1 + random.nextInt(2), this::name)))
                : new Condition.Host(AttributeNames.HOST, names, endings);
    }

    private Condition inRange(String attribute) {
        List<String> written = some(1 + random.nextInt(3), () -> oneOf(NETWORKS));
        List<IpRanges.Range> ranges = written.stream()
                .map(text -> parsed(() -> IpRanges.Range.parse(text)))
                .toList();
        return new Condition.InRange(attribute, new IpRanges(ranges), written);
    }

    RoutePattern pattern() {
        StringBuilder text = new StringBuilder();
        int depth = random.nextInt(4);
        for (int i = 0; i < depth; i++) {
            text.append('/')
                    .append(
                            switch (random.nextInt(4)) {
                                case 0 -> "*";
                                case 1 -> "{" + oneOf(List.of("x", "y")) + "}";
                                default -> oneOf(SEGMENTS);
                            });
        }
        boolean open = random.nextInt(3) == 0;
        String whole = open ? text + "/**" : text.isEmpty() ? "/" : text.toString();
        return parsed(() -> RoutePattern.parse(whole));
    }

    String path() {
        return "/" + some(random.nextInt(5), () -> oneOf(SEGMENTS)).stream().collect(Collectors.joining("/"));
    }

    Subject subject() {
        Request request = Request.empty();
        request = random.nextInt(5) == 0 ? request : request.with(AttributeNames.ROUTE, path());
        request = random.nextInt(5) == 0 ? request : request.with(AttributeNames.METHOD, method());
        request = random.nextInt(5) == 0 ? request : request.with(AttributeNames.HOST, name());
        request = random.nextInt(5) == 0 ? request : request.with(AttributeNames.IP, oneOf(ADDRESSES));
        request = random.nextInt(2) == 0 ? request : request.with("peer", oneOf(ADDRESSES));
        request = random.nextInt(3) == 0 ? request : request.with("tenant", word());
        request = random.nextInt(3) == 0 ? request : request.with("user", word());
        return new Subject(request);
    }

    private String attribute() {
        return oneOf(List.of("tenant", "user"));
    }

    private String method() {
        return oneOf(List.of("GET", "POST", "PUT"));
    }

    /** Returns a host name, which sometimes begins with a dot. */
    private String name() {
        String name = some(1 + random.nextInt(3), () -> oneOf(List.of("a", "b"))).stream()
                .collect(Collectors.joining("."));
        return random.nextInt(10) == 0 ? "." + name : name;
    }

    private String word() {
        int length = 1 + random.nextInt(4);
        return IntStream.range(0, length)
                .mapToObj(i -> String.valueOf(LETTERS.charAt(random.nextInt(LETTERS.length()))))
                .collect(Collectors.joining());
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static <T> List<T> some(int count, Supplier<T> each) {
        List<T> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(each.get());
        }
        return list;
    }

    /** Parses text that must be valid. An exception means that the test is wrong. */
    interface Parse<T> {
        T get() throws Unexpected;
    }

    static <T> T parsed(Parse<T> parse) {
        try {
            return parse.get();
        } catch (Unexpected e) {
            throw new AssertionError(e.expected(), e);
        }
    }
}
