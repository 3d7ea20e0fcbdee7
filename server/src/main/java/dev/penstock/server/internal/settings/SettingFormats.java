package dev.penstock.server.internal.settings;

import dev.penstock.internal.Durations;
import dev.penstock.observe.LogChoices;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.address.IpRanges;
import dev.penstock.policy.text.DurationText;
import dev.penstock.policy.text.Nearest;
import dev.penstock.policy.text.Unexpected;
import dev.penstock.server.GateSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.ObserveSettings;
import dev.penstock.server.OtlpSettings;
import dev.penstock.server.RedisUri;
import dev.penstock.server.Secret;
import dev.penstock.server.internal.http.AttributeSource;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The formats of the values of settings. */
final class SettingFormats {
    private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252})");
    private static final String HOST_EXPECTED = "an address such as 127.0.0.1, 0.0.0.0 or ::1";
    private static final String RANGES_EXPECTED = "networks such as 10.0.0.0/8 or 2001:db8::/32";
    private static final String PAIR_EXPECTED = "SOURCE=ATTRIBUTE, such as x-tenant=tenant, cookie:session=session";
    private static final String TOKEN_EXPECTED = "a token of " + Secret.EXPECTED;

    private static final String OFF = "off";
    private static final int MOST_TOKENS = 10_000;

    private SettingFormats() {}

    static SettingFormat<Integer> number(String label, int least, int most) {
        String expected = "a number from " + least + " to " + most;
        return SettingFormat.one(label, expected, (text, base) -> number(text, least, most, expected), String::valueOf);
    }

    private static int number(String text, int least, int most, String expected) throws Unexpected {
        int number = text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
        if (number < least || number > most) {
            throw new Unexpected(expected);
        }
        return number;
    }

    /** A number, or nothing if the text is {@code off}. */
    static SettingFormat<Optional<Integer>> numberOrOff(String label, int least, int most) {
        String expected = "a number from " + least + " to " + most + ", or " + OFF;
        return SettingFormat.one(
                label,
                expected,
                (text, base) -> text.equals(OFF) ? Optional.empty() : Optional.of(number(text, least, most, expected)),
                value -> value.map(String::valueOf).orElse(OFF));
    }

    static SettingFormat<GateSettings.DeniedStatus> deniedStatus() {
        Map<String, GateSettings.DeniedStatus> words = new LinkedHashMap<>();
        words.put("by-reason", GateSettings.DeniedStatus.BY_REASON);
        words.put("429", GateSettings.DeniedStatus.ALWAYS_429);
        words.put("403", GateSettings.DeniedStatus.ALWAYS_403);
        return words("STATUS", words);
    }

    static SettingFormat<Boolean> yesOrNo() {
        Map<String, Boolean> words = new LinkedHashMap<>();
        words.put("true", true);
        words.put("false", false);
        return words("BOOLEAN", words);
    }

    /** A constant of an enum, in lower case and with dashes. */
    static <E extends Enum<E>> SettingFormat<E> word(Class<E> type) {
        Map<String, E> words = new LinkedHashMap<>();
        for (E each : type.getEnumConstants()) {
            words.put(each.name().toLowerCase(Locale.ROOT).replace('_', '-'), each);
        }
        return words("WORD", words);
    }

    private static <T> SettingFormat<T> words(String label, Map<String, T> words) {
        String expected = String.join(" or ", words.keySet());
        return SettingFormat.one(
                label,
                expected,
                (text, base) -> {
                    T value = words.get(text);
                    if (value == null) {
                        boolean number = text.matches("\\d+"); // no number is a likelier typo
                        String nearest = number ? null : Nearest.of(text, words.keySet());
                        throw new Unexpected(nearest == null ? expected : expected + "; did you mean " + nearest + "?");
                    }
                    return value;
                },
                value -> words.entrySet().stream()
                        .filter(each -> each.getValue().equals(value))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow());
    }

    static SettingFormat<Duration> time(Duration least, Duration most) {
        return times(
                "a time from " + shown(least) + " to " + shown(most),
                time -> time.compareTo(least) >= 0 && time.compareTo(most) <= 0);
    }

    /** A time of zero or more. */
    static SettingFormat<Duration> timeOrNone(Duration most) {
        return times("a time from 0 to " + shown(most), time -> time.compareTo(most) <= 0);
    }

    /** A time of zero or more whole seconds. */
    static SettingFormat<Duration> seconds(Duration most) {
        return times(
                "whole seconds from 0 to " + shown(most), time -> time.toNanosPart() == 0 && time.compareTo(most) <= 0);
    }

    private static SettingFormat<Duration> times(String expected, Predicate<Duration> fits) {
        return SettingFormat.one(
                "TIME",
                expected,
                (text, base) -> {
                    Duration time = text.equals("0") || text.equals("0s") ? Duration.ZERO : DurationText.parse(text);
                    if (!fits.test(time)) {
                        throw new Unexpected(expected);
                    }
                    return time;
                },
                SettingFormats::shown);
    }

    private static String shown(Duration time) {
        return time.isZero() ? "0" : Durations.text(time);
    }

    static SettingFormat<String> host() {
        return SettingFormat.one(
                "ADDRESS",
                HOST_EXPECTED,
                (text, base) -> {
                    if (!ListenAddress.isHost(text)) {
                        throw new Unexpected(HOST_EXPECTED);
                    }
                    return text;
                },
                text -> text);
    }

    static SettingFormat<String> keyPrefix() {
        String expected = "1 to 64 ASCII letters, digits and symbols, without spaces and braces";
        return SettingFormat.one(
                "TEXT",
                expected,
                (text, base) -> {
                    if (!text.matches("[!-~&&[^{}]]{1,64}")) {
                        throw new Unexpected(expected);
                    }
                    return text;
                },
                text -> text);
    }

    static SettingFormat<List<String>> hostNames() {
        String expected = "host names, without a scheme or a port";
        return SettingFormat.list("NAME", expected, (text, base) -> {
            if (!HOST_NAME.matcher(text).matches()) {
                throw new Unexpected(expected);
            }
            return text;
        });
    }

    static SettingFormat<List<Path>> paths() {
        return SettingFormat.list("PATH", "paths", SettingFormats::path);
    }

    /** An existing file. */
    static SettingFormat<Path> file() {
        return SettingFormat.one(
                "FILE",
                "a file",
                (text, base) -> {
                    Path path = path(text, base);
                    TokenFile.checkReadable(path);
                    return path;
                },
                String::valueOf);
    }

    static SettingFormat<PasswordFile> passwordFile() {
        return SettingFormat.one(
                "FILE",
                "a file",
                (text, base) -> PasswordFile.read(path(text, base)),
                file -> String.valueOf(file.path()));
    }

    /** A file that exists or will be created. */
    static SettingFormat<Path> newFile() {
        return SettingFormat.one("FILE", "a file", SettingFormats::newFile, String::valueOf);
    }

    private static Path newFile(String text, Path base) throws Unexpected {
        Path path = path(text, base);
        if (Files.isDirectory(path)) {
            throw new Unexpected("a file, not a directory");
        }
        return path;
    }

    /** A file that exists or will be created, or nothing. */
    static SettingFormat<Optional<Path>> newFileOrNone() {
        return SettingFormat.one(
                "FILE",
                "a file, or " + OFF,
                (text, base) -> text.equals(OFF) ? Optional.empty() : Optional.of(newFile(text, base)),
                path -> path.map(String::valueOf).orElse(OFF));
    }

    /** A percentage with four decimals, kept as parts of a million: {@code 0.1} is 1000. */
    static SettingFormat<Integer> percent() {
        String expected = "a percentage from 0 to 100, such as 1 or 0.01";
        return SettingFormat.one(
                "PERCENT",
                expected,
                (text, base) -> {
                    boolean isFine = text.matches("\\d{1,3}(\\.\\d{1,4})?");
                    BigDecimal parts = isFine ? new BigDecimal(text).movePointRight(4) : BigDecimal.TEN.pow(9);
                    if (parts.intValueExact() > LogChoices.WHOLE) {
                        throw new Unexpected(expected);
                    }
                    return parts.intValueExact();
                },
                parts -> new BigDecimal(parts)
                        .movePointLeft(4)
                        .stripTrailingZeros()
                        .toPlainString());
    }

    static SettingFormat<URI> collector() {
        return SettingFormat.one(
                "URL",
                ObserveSettings.COLLECTOR_EXPECTED,
                (text, base) -> {
                    try {
                        URI address = new URI(text);
                        if (ObserveSettings.isCollector(address)) {
                            return address;
                        }
                    } catch (URISyntaxException e) { // the same error
                        throw new Unexpected(ObserveSettings.COLLECTOR_EXPECTED);
                    }
                    throw new Unexpected(ObserveSettings.COLLECTOR_EXPECTED);
                },
                URI::toString);
    }

    static SettingFormat<String> region() {
        return SettingFormat.one(
                "NAME",
                ObserveSettings.REGION_EXPECTED,
                (text, base) -> {
                    if (!ObserveSettings.isRegion(text)) {
                        throw new Unexpected(ObserveSettings.REGION_EXPECTED);
                    }
                    return text;
                },
                text -> text);
    }

    private static Path path(String text, Path base) throws Unexpected {
        try {
            Path path = Path.of(text);
            if (text.isEmpty()) { // Java would take it for the current directory
                throw new Unexpected("a path");
            }
            return base.resolve(path);
        } catch (InvalidPathException e) {
            throw new Unexpected("a path");
        }
    }

    static SettingFormat<RedisUri> redis() {
        String expected = "an address such as redis://host:6379";
        return SettingFormat.one(
                "URI",
                expected,
                (text, base) -> {
                    try {
                        return new RedisUri(text);
                    } catch (IllegalArgumentException e) {
                        throw Unexpected.unseen(expected + "; " + e.getMessage());
                    }
                },
                RedisUri::toString);
    }

    static SettingFormat<URI> otlpUrl() {
        return SettingFormat.one(
                "URL",
                OtlpSettings.URL_EXPECTED,
                (text, base) -> {
                    try {
                        URI url = new URI(text);
                        if (OtlpSettings.isUrl(url)) {
                            return url;
                        }
                    } catch (URISyntaxException e) { // the same error
                    }
                    throw Unexpected.unseen(OtlpSettings.URL_EXPECTED);
                },
                URI::toString);
    }

    static SettingFormat<List<IpRanges.Range>> ranges() {
        return SettingFormat.list("NETWORK", RANGES_EXPECTED, (text, base) -> IpRanges.Range.parse(text));
    }

    static SettingFormat<Map<String, String>> gateAttributes() {
        return SettingFormat.map("SOURCE=ATTRIBUTE", "a mapping such as { x-tenant: tenant }", (text, base) -> {
            int at = text.indexOf('=');
            if (at < 0) {
                throw new Unexpected(PAIR_EXPECTED);
            }
            String source = AttributeSource.parse(text.substring(0, at)).text();
            String attribute = text.substring(at + 1);
            if (!AttributeNames.isName(attribute)) {
                throw new Unexpected(AttributeNames.EXPECTED);
            }
            return Map.entry(source, attribute);
        });
    }

    static SettingFormat<List<Secret>> tokens() {
        return SettingFormat.list("TOKEN", TOKEN_EXPECTED, (text, base) -> secret(text));
    }

    static SettingFormat<Secret> token() {
        return SettingFormat.one("TOKEN", TOKEN_EXPECTED, (text, base) -> secret(text), Secret::toString);
    }

    static SettingFormat<TokenFile> tokenFile(TokenFile.Lines lines) {
        return SettingFormat.one(
                "FILE",
                "a file",
                (text, base) -> {
                    TokenFile file = TokenFile.read(path(text, base), lines);
                    if (file.lines().size() > MOST_TOKENS) {
                        throw new Unexpected("a file of at most " + MOST_TOKENS + " tokens");
                    }
                    return file;
                },
                file -> String.valueOf(file.path()));
    }

    static Secret secret(String text) throws Unexpected {
        if (!Secret.isFine(text)) {
            throw Unexpected.unseen(TOKEN_EXPECTED);
        }
        return new Secret(text);
    }
}
