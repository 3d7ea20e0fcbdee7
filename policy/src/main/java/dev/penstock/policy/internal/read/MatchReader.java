package dev.penstock.policy.internal.read;

import dev.penstock.Request;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.address.IpAddress;
import dev.penstock.policy.address.IpRanges;
import dev.penstock.policy.internal.match.Condition;
import dev.penstock.policy.internal.match.KeyedHash;
import dev.penstock.policy.internal.match.Match;
import dev.penstock.policy.internal.match.RoutePattern;
import dev.penstock.policy.internal.match.Subject;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Words;
import dev.penstock.policy.text.Unexpected;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code match}: the conditions on a request. */
final class MatchReader {
    private static final String EXPECTED = "a mapping of attributes to conditions";
    private static final List<String> OF_SECRETS = List.of("prefix", "hash", "present", "not");
    private static final List<String> WORDS = List.of("is", "prefix", "cidr", "hash", "present", "not");

    private final Attributes attributes;
    private final Secrecy secrecy;

    MatchReader(Attributes attributes, Secrecy secrecy) {
        this.attributes = attributes;
        this.secrecy = secrecy;
    }

    /** Reads an optional {@code match}. Without one, every request matches. */
    Match read(@Nullable Field field) {
        return field == null
                ? Match.EVERYTHING
                : read(field, "at least one attribute; omit match to match all requests");
    }

    /** Reads a {@code match} that needs at least one attribute. */
    Match readSome(Field field) {
        return read(field, "at least one attribute");
    }

    private Match read(Field field, String someExpected) {
        List<Condition> conditions = new ArrayList<>();
        Words words = field.words(EXPECTED);
        if (field.isMapping() && words.isEmpty()) {
            field.report("an empty mapping (expected: " + someExpected + ")");
        }
        for (Words.Word word : words.all()) {
            try {
                attributes.check(word.word());
            } catch (Unexpected e) {
                word.refuse(e.expected());
                continue;
            }
            Condition condition = condition(word.word(), word.value());
            if (condition != null) {
                conditions.add(condition);
            }
        }
        return new Match(conditions);
    }

    private @Nullable Condition condition(String attribute, Field field) {
        return field.isMapping() ? conditions(attribute, field) : values(attribute, field);
    }

    private @Nullable Condition conditions(String attribute, Field field) {
        List<Condition> all = new ArrayList<>();
        Words words = field.words("");
        if (secrecy.isSecret(attribute)) {
            boolean fine = words.all().stream().allMatch(word -> OF_SECRETS.contains(word.word()));
            if (!fine) {
                field.refuseUnseen(Texts.oneOf(OF_SECRETS) + ", because " + attribute + " is secret");
                return null;
            }
        }
        words.only(WORDS);
        if (words.isEmpty()) {
            field.refuse(Texts.oneOf(WORDS));
        }
        for (Words.Word word : words.all()) {
            if (isOutOfPlace(attribute, word)) {
                return null;
            }
            Condition condition = switch (word.word()) {
                case "is" -> values(attribute, word.value());
                case "prefix" -> prefix(attribute, word.value());
                case "cidr" -> ranges(attribute, word.value());
                case "hash" -> hashed(attribute, word.value());
                case "present" -> present(attribute, word.value());
                case "not" -> not(attribute, word.value());
                default -> null;
            };
            if (condition != null) {
                all.add(condition);
            }
        }
        if (all.size() < 2) {
            return all.isEmpty() ? null : all.get(0);
        }
        Condition together = new Condition.All(attribute, List.copyOf(all));
        if (isNever(attribute, all)) {
            field.report("conditions that no request meets: " + together.wanted()
                    + " (expected: conditions that can hold together)");
        }
        return together;
    }

    /** Refuses text conditions on routes and addresses, which have several spellings. */
    private static boolean isOutOfPlace(String attribute, Words.Word word) {
        boolean byText = word.word().equals("prefix") || word.word().equals("hash");
        if (attribute.equals(AttributeNames.IP) && byText) {
            word.refuse("is or cidr with a range such as 10.0.0.0/8: addresses have several spellings");
            return true;
        }
        if (attribute.equals(AttributeNames.ROUTE) && (byText || word.word().equals("cidr"))) {
            word.refuse("is with a pattern such as /api/**: paths have several spellings");
            return true;
        }
        return false;
    }

    /**
     * Returns true if the conditions can never hold together: one of them lists values, and none of these meets all
     * conditions. If one requires the attribute to be absent, a request without it is tried.
     */
    private static boolean isNever(String attribute, List<Condition> all) {
        Match match = new Match(all);
        for (Condition condition : all) {
            boolean absent = condition instanceof Condition.Not not && not.condition() instanceof Condition.Present;
            if (absent && !match.holds(new Subject(Request.empty()))) {
                return true;
            }
            if (condition instanceof Condition.OneOf one
                    && one.values().stream()
                            .noneMatch(value -> match.holds(new Subject(Request.of(attribute, value))))) {
                return true;
            }
        }
        return false;
    }

    /** Reads the negation of a value or condition. For a list, none of its items may hold. */
    private @Nullable Condition not(String attribute, Field field) {
        boolean conditions = field.isList() && field.items("").stream().anyMatch(Field::isMapping);
        if (!conditions) {
            Condition condition = condition(attribute, field);
            return condition == null ? null : new Condition.Not(condition);
        }
        List<Condition> none = new ArrayList<>();
        for (Field item : field.items("")) {
            Condition condition = condition(attribute, item);
            if (condition != null) {
                none.add(new Condition.Not(condition));
            }
        }
        return none.isEmpty() ? null : new Condition.All(attribute, List.copyOf(none));
    }

    private @Nullable Condition present(String attribute, Field field) {
        Boolean wanted = Texts.read(field, "true or false", text -> {
            if (!text.equals("true") && !text.equals("false")) {
                throw secrecy.isSecret(attribute)
                        ? Unexpected.unseen("true or false")
                        : new Unexpected("true or false");
            }
            return text.equals("true");
        });
        if (wanted == null) {
            return null;
        }
        Condition present = new Condition.Present(attribute);
        return wanted ? present : new Condition.Not(present);
    }

    /** Reads a value or a list of values, in the form of the attribute. */
    private @Nullable Condition values(String attribute, Field field) {
        if (secrecy.isSecret(attribute)) {
            field.refuseUnseen("prefix, hash or present, because " + attribute + " is secret");
            return null;
        }
        return switch (attribute) {
            case AttributeNames.ROUTE -> routes(field);
            case AttributeNames.IP -> ranges(attribute, field);
            case AttributeNames.HOST -> hosts(field);
            case AttributeNames.METHOD -> oneOf(attribute, field, MatchReader::method);
            default -> oneOf(attribute, field, text -> text);
        };
    }

    private static <T> List<T> each(Field field, String expected, Texts.TextParser<T> form) {
        List<T> values = new ArrayList<>();
        List<Field> items = field.oneOrMore(expected);
        if (items.isEmpty()) {
            field.report("an empty list (expected: " + expected + ")");
        }
        for (Field item : items) {
            T value = Texts.read(item, expected, form);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    private static @Nullable Condition oneOf(String attribute, Field field, Texts.TextParser<String> form) {
        Set<String> values = new LinkedHashSet<>(each(field, "a value, or a list of values", form));
        return values.isEmpty() ? null : new Condition.OneOf(attribute, values);
    }

    private static String method(String text) throws Unexpected {
        if (!text.matches("[A-Za-z-]+")) {
            throw new Unexpected("a method such as POST");
        }
        return text.toUpperCase(Locale.ROOT);
    }

    private static @Nullable Condition routes(Field field) {
        List<RoutePattern> patterns = new ArrayList<>(
                each(field, "a route such as /api/reports/{id} or /api/**, or a list", RoutePattern::parse));
        patterns.sort(null);
        return patterns.isEmpty() ? null : new Condition.OnRoute(List.copyOf(patterns));
    }

    private static @Nullable Condition hosts(Field field) {
        Set<String> names = new HashSet<>();
        List<String> endings = new ArrayList<>();
        List<String> all = each(field, "a host such as api.example.com or *.example.com, or a list", text -> {
            String name = text.startsWith("*.") ? text.substring(1) : text;
            if (!name.matches("[^*/\\s]+") || name.equals(".")) {
                throw new Unexpected("a host such as api.example.com or *.example.com");
            }
            if (name.matches("[^\\[]*:\\d+") && IpAddress.parse(name) == null) {
                throw new Unexpected("a host without a port; ports are ignored");
            }
            return withoutLastDot(text.toLowerCase(Locale.ROOT));
        });
        for (String host : all) {
            if (host.startsWith("*.")) {
                endings.add(host.substring(1));
            } else {
                names.add(host);
            }
        }
        if (all.isEmpty()) {
            return null;
        }
        return endings.isEmpty()
                ? new Condition.OneOf(AttributeNames.HOST, Set.copyOf(names))
                : new Condition.Host(AttributeNames.HOST, Set.copyOf(names), List.copyOf(endings));
    }

    private static String withoutLastDot(String host) {
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    private static @Nullable Condition ranges(String attribute, Field field) {
        List<String> written = new ArrayList<>();
        List<IpRanges.Range> ranges = each(field, "an address or a range such as 10.0.0.0/8, or a list", text -> {
            IpRanges.Range range = IpRanges.Range.parse(text);
            written.add(text);
            return range;
        });
        return ranges.isEmpty() ? null : new Condition.InRange(attribute, new IpRanges(ranges), List.copyOf(written));
    }

    private static @Nullable Condition prefix(String attribute, Field field) {
        List<String> prefixes = each(field, "a prefix of values, or a list", text -> {
            if (text.isEmpty()) {
                throw new Unexpected("a text that is not empty; { present: true } accepts any value");
            }
            return switch (attribute) {
                case AttributeNames.METHOD -> text.toUpperCase(Locale.ROOT);
                case AttributeNames.HOST -> text.toLowerCase(Locale.ROOT);
                default -> text;
            };
        });
        return prefixes.isEmpty() ? null : new Condition.Prefix(attribute, List.copyOf(prefixes));
    }

    private @Nullable Condition hashed(String attribute, Field field) {
        KeyedHash hash = secrecy.hashFor(field);
        List<String> hashes = each(field, "a hash of 32 hexadecimal digits, or a list", text -> {
            if (!text.matches("[0-9a-fA-F]{32}")) {
                throw Unexpected.unseen("a hash of 32 hexadecimal digits, as penstock explain shows it");
            }
            return text.toLowerCase(Locale.ROOT);
        });
        return hash == null || hashes.isEmpty() ? null : new Condition.Hashed(attribute, Set.copyOf(hashes), hash);
    }
}
