package dev.penstock.server.internal.settings;

import dev.penstock.engine.NewKeyBudget;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.policy.internal.address.IpRanges;
import dev.penstock.server.AddressSettings;
import dev.penstock.server.AdminSettings;
import dev.penstock.server.ClientSettings;
import dev.penstock.server.DrainSettings;
import dev.penstock.server.EnvoySettings;
import dev.penstock.server.GateSettings;
import dev.penstock.server.HeaderSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.LogFormat;
import dev.penstock.server.MetricSettings;
import dev.penstock.server.ObserveSettings;
import dev.penstock.server.OtlpSettings;
import dev.penstock.server.PermitSettings;
import dev.penstock.server.RedisUri;
import dev.penstock.server.Secret;
import dev.penstock.server.ServerSettings;
import dev.penstock.server.WarmUpSettings;
import dev.penstock.server.internal.settings.Setting.Ways;
import dev.penstock.spi.Ask;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All settings there are, in the order in which people are told of them. */
public final class SettingTable {
    private static final List<Setting<?>> ALL = new ArrayList<>();

    static final Setting<List<Path>> POLICIES =
            all("policies", SettingFormats.paths(), null, "policy files, or directories of them; there has to be one");
    static final Setting<Integer> PORT = all(
            "port",
            SettingFormats.number("PORT", 0, ListenAddress.HIGHEST_PORT),
            ServerSettings.DEFAULT_AT.port(),
            "the main port; 0 is any that is free");
    static final Setting<String> HOST =
            all("host", SettingFormats.host(), ServerSettings.DEFAULT_AT.host(), "where the main port listens");
    static final Setting<RedisUri> REDIS = added(new Setting<>(
            "redis",
            SettingFormats.redis(),
            null,
            Ways.ALL_UNSEEN,
            "where limits are counted for all nodes: `redis://user:password@host:port`, `rediss://`, also with `-sentinel`"
                    + " or `-cluster`; without it this node counts by itself, in memory"));
    static final Setting<PasswordFile> REDIS_PASSWORD_FILE = all(
            "redis_password_file",
            SettingFormats.passwordFile(),
            null,
            "a file with the password of Redis in its first line; the user is named as `redis://user:@host`");
    static final Setting<Duration> DEADLINE = all(
            "deadline",
            SettingFormats.time(Duration.ofMillis(1), Ask.LONGEST_WAIT),
            ServerSettings.DEFAULT_DEADLINE,
            "how long Redis may take to answer, not counting this node's own delay; then each policy's on_store_failure decides");
    static final Setting<Integer> NODES = all(
            "nodes",
            SettingFormats.number("NUMBER", 1, ServerSettings.MOST_NODES),
            null,
            "how many nodes share the limits while Redis is away; without it, as many as Redis told last");

    static final Setting<Optional<Integer>> REDIS_NEW_KEYS = all(
            "redis_new_keys",
            SettingFormats.numberOrOff("NUMBER", 1, NewKeyBudget.MOST_PER_SECOND),
            Optional.of(NewKeyBudget.DEFAULT_PER_SECOND),
            "maximum number of new keys per second that each policy makes in Redis through this node, of those that are kept for"
                    + " more than a minute; a request that needs one more is denied as `too_many_new_keys`; `off`: no maximum");

    static final Setting<List<Secret>> TOKENS = secret(
            "tokens", SettingFormats.tokens(), "callers of the main port have to show one of these, as a bearer token");
    static final Setting<TokenFile> TOKENS_FILE = all(
            "tokens_file",
            SettingFormats.tokenFile(TokenFile.Lines.TOKEN),
            null,
            "a file of the tokens that callers of the main port show, one a line");
    static final Setting<List<String>> HOSTS = all(
            "hosts",
            SettingFormats.hostNames(),
            List.of(),
            "names by which pages in a browser may call the main port while no token is needed, beside its address and `localhost`");
    static final Setting<Path> TLS_CERTIFICATE = all(
            "tls.certificate",
            SettingFormats.file(),
            null,
            "the certificate of the main port, in PEM, with those above it");
    static final Setting<Path> TLS_KEY =
            all("tls.key", SettingFormats.file(), null, "the key of that certificate, in PEM, not encrypted");
    static final Setting<Path> TLS_CLIENT_CA = all(
            "tls.client_ca",
            SettingFormats.file(),
            null,
            "clients have to show a certificate that one of these vouches for, in PEM");

    static final Setting<Boolean> TLS_ADMIN =
            all("tls.admin", SettingFormats.yesOrNo(), false, "serve the admin port over TLS too, with the same files");

    static final Setting<Integer> ADMIN_PORT = all(
            "admin.port",
            SettingFormats.number("PORT", 0, ListenAddress.HIGHEST_PORT),
            AdminSettings.DEFAULT.at().port(),
            "the port for those who run the service; 0 is any that is free");
    static final Setting<String> ADMIN_HOST = all(
            "admin.host",
            SettingFormats.host(),
            AdminSettings.DEFAULT.at().host(),
            "where the admin port listens; beyond this machine only with a token");
    static final Setting<Secret> ADMIN_TOKEN = secret(
            "admin.token",
            SettingFormats.token(),
            "who shows it on the admin port, as a bearer token, may do everything there; without any token everybody may look, and change things only if there is no Redis");
    static final Setting<TokenFile> ADMIN_TOKEN_FILE = all(
            "admin.token_file",
            SettingFormats.tokenFile(TokenFile.Lines.NAME_AND_TOKEN),
            null,
            "a file of such tokens, one a line; a name and a space before it say whose it is");
    static final Setting<List<Secret>> ADMIN_READ_TOKENS = secret(
            "admin.read_tokens", SettingFormats.tokens(), "who shows one of these there may look, and change nothing");
    static final Setting<TokenFile> ADMIN_READ_TOKENS_FILE = all(
            "admin.read_tokens_file",
            SettingFormats.tokenFile(TokenFile.Lines.NAME_AND_TOKEN),
            null,
            "a file of those, in the same way");
    static final Setting<Optional<Path>> ADMIN_AUDIT = all(
            "admin.audit_file",
            SettingFormats.newFileOrNone(),
            Optional.of(AdminSettings.USUAL_AUDIT),
            "where changes made there are written down before they are made, as lines of JSON; `off`: nowhere");
    static final Setting<Integer> METRICS_PORT = all(
            "metrics.port",
            SettingFormats.number("PORT", 0, ListenAddress.HIGHEST_PORT),
            null,
            "a port for `/metrics` alone, where no token is asked; without it they are on the admin port");
    static final Setting<String> METRICS_HOST = all(
            "metrics.host",
            SettingFormats.host(),
            null,
            "where that port listens; `" + AdminSettings.USUAL_METRICS_HOST + "` unless told");
    static final Setting<Integer> METRICS_TENANTS = all(
            "metrics.tenants",
            SettingFormats.number("NUMBER", 0, MetricSettings.MOST),
            MetricSettings.DEFAULT.tenants(),
            "maximum number of tenants that get their own `http_429_total` label, those that are denied first; the rest share `(others)`");
    static final Setting<Integer> METRICS_SERIES = all(
            "metrics.series",
            SettingFormats.number("NUMBER", 1, MetricSettings.MOST),
            MetricSettings.DEFAULT.series(),
            "how many series of decisions the metrics have at most; what is above is counted as `(others)`");
    static final Setting<URI> OTLP_URL = all(
            "metrics.otlp.url",
            SettingFormats.otlpUrl(),
            null,
            "where metrics are sent to, too, by OTLP over HTTP: `http://localhost:4318/v1/metrics`");
    static final Setting<Duration> OTLP_INTERVAL = all(
            "metrics.otlp.interval",
            SettingFormats.time(OtlpSettings.SHORTEST, OtlpSettings.LONGEST),
            OtlpSettings.USUAL_INTERVAL,
            "how often");

    static final Setting<AddressSettings.Header> ADDRESS_HEADER = all(
            "address.header",
            SettingFormats.word(AddressSettings.Header.class),
            AddressSettings.DEFAULT.header(),
            "where proxies write the client's address: `x-forwarded-for` or `forwarded`");
    static final Setting<Integer> TRUSTED_HOPS = all(
            "address.trusted_hops",
            SettingFormats.number("NUMBER", 0, AddressSettings.MOST_HOPS),
            AddressSettings.DEFAULT.trustedHops(),
            "how many proxies of one's own stand in front; 0: the header is not believed");
    static final Setting<List<IpRanges.Range>> TRUSTED_PROXIES = all(
            "address.trusted_proxies",
            SettingFormats.ranges(),
            AddressSettings.DEFAULT.trustedProxies(),
            "the networks of one's own proxies, in the place of their number");

    static final Setting<Boolean> RATELIMIT = all(
            "headers.ratelimit",
            SettingFormats.yesOrNo(),
            HeaderSettings.DEFAULT.rateLimit(),
            "send `RateLimit` and `RateLimit-Policy`");
    static final Setting<Boolean> X_RATELIMIT = all(
            "headers.x_ratelimit",
            SettingFormats.yesOrNo(),
            HeaderSettings.DEFAULT.xRateLimit(),
            "send `X-RateLimit-Limit`, `-Remaining` and `-Reset`");
    static final Setting<HeaderSettings.Reset> RESET = all(
            "headers.reset",
            SettingFormats.word(HeaderSettings.Reset.class),
            HeaderSettings.DEFAULT.reset(),
            "`X-RateLimit-Reset` in seconds since 1970 (`epoch`) or from now (`delta`)");
    static final Setting<Boolean> RETRY_AFTER = all(
            "headers.retry_after",
            SettingFormats.yesOrNo(),
            HeaderSettings.DEFAULT.retryAfter(),
            "send `Retry-After` on denials");
    static final Setting<Duration> RETRY_AFTER_JITTER = all(
            "headers.retry_after_jitter",
            SettingFormats.seconds(HeaderSettings.LONGEST_JITTER),
            HeaderSettings.DEFAULT.retryAfterJitter(),
            "up to so many seconds are added to it by chance, so that not all come back at once");

    static final Setting<Integer> DENIED_STATUS = all(
            "gate.denied_status",
            SettingFormats.oneOfNumbers("STATUS", 429, 403),
            GateSettings.DEFAULT.deniedStatus(),
            "what `/v1/gate` answers to a denied request: 429, or 403 for nginx");
    static final Setting<GateSettings.ToldBy> GATE_TOLD_BY = all(
            "gate.told_by",
            SettingFormats.word(GateSettings.ToldBy.class),
            GateSettings.DEFAULT.toldBy(),
            "the headers that tell of the request: `x-forwarded` (`-Method`, `-Host`, `-Uri`) or `x-original`");
    static final Setting<Map<String, String>> GATE_ATTRIBUTES = all(
            "gate.attributes",
            SettingFormats.headerAttributes(),
            GateSettings.DEFAULT.attributes(),
            "which headers of the request become which attributes: `x-tenant=tenant,x-user=user`");

    static final Setting<List<Path>> ENVOY_RULES = all(
            "envoy.rules",
            SettingFormats.paths(),
            EnvoySettings.DEFAULT.rules(),
            "files of envoyproxy/ratelimit, or directories of them: they decide what Envoy asks, and not the policies");
    static final Setting<Boolean> ENVOY_MERGE_DOMAINS = all(
            "envoy.merge_domains",
            SettingFormats.yesOrNo(),
            EnvoySettings.DEFAULT.sameDomain() == SameDomain.MERGED,
            "whether several of those files may have one domain");
    static final Setting<Boolean> ENVOY_COUNT_DENIED = all(
            "envoy.count_denied",
            SettingFormats.yesOrNo(),
            EnvoySettings.DEFAULT.countDenied(),
            "whether denied requests count, under each of their descriptors, as in envoyproxy/ratelimit; only with its files");
    static final Setting<EnvoySettings.Headers> ENVOY_HEADERS = all(
            "envoy.headers",
            SettingFormats.word(EnvoySettings.Headers.class),
            EnvoySettings.DEFAULT.headers(),
            "what Envoy adds to responses: `numbers` (`RateLimit-Limit`, `-Remaining`, `-Reset`), `fields` (those of"
                    + " `headers`), or nothing (`off`)");
    static final Setting<Boolean> ENVOY_METADATA = all(
            "envoy.metadata",
            SettingFormats.yesOrNo(),
            EnvoySettings.DEFAULT.metadata(),
            "whether Envoy is told which policies denied, as dynamic metadata");

    static final Setting<Integer> CLIENT_CONNECTIONS = all(
            "clients.connections",
            SettingFormats.number("NUMBER", 1, ClientSettings.MOST_CONNECTIONS),
            ClientSettings.DEFAULT.connections(),
            "how many connections the main port has at a time; one more is closed at once");
    static final Setting<Integer> CLIENT_STREAMS = all(
            "clients.streams",
            SettingFormats.number("NUMBER", 1, ClientSettings.MOST_STREAMS),
            ClientSettings.DEFAULT.streams(),
            "maximum number of requests under way at a time on one connection of HTTP/2; beyond it streams are refused. HTTP/1"
                    + " handles one at a time");
    static final Setting<Integer> CLIENT_WAITING = all(
            "clients.waiting",
            SettingFormats.number("NUMBER", 1, ClientSettings.MOST_WAITING),
            ClientSettings.DEFAULT.waiting(),
            "maximum number of decisions that wait for Redis at a time; one more is answered at once, as `overloaded` (503)");
    static final Setting<Integer> CLIENT_BODY = all(
            "clients.body_bytes",
            SettingFormats.number("BYTES", 1, ClientSettings.LARGEST_BODY),
            ClientSettings.DEFAULT.bodyBytes(),
            "the largest body of a request");
    static final Setting<Integer> CLIENT_HEADER = all(
            "clients.header_bytes",
            SettingFormats.number("BYTES", ClientSettings.SMALLEST_HEADER, ClientSettings.LARGEST_HEADER),
            ClientSettings.DEFAULT.headerBytes(),
            "the largest header of a request");
    static final Setting<Integer> CLIENT_BUFFERS = all(
            "clients.buffer_bytes",
            SettingFormats.number("BYTES", 0, ClientSettings.MOST_BUFFERS),
            ClientSettings.DEFAULT.bufferBytes(),
            "maximum bytes that unread answers and unfinished bodies take together in the process; `0`: an eighth of the heap");
    static final Setting<Duration> CLIENT_SLOWEST = all(
            "clients.slowest",
            SettingFormats.time(Duration.ofMillis(1), ClientSettings.LONGEST),
            ClientSettings.DEFAULT.slowest(),
            "how long the header of a request may take to come in, and then its body; slower clients are cut");
    static final Setting<Duration> CLIENT_IDLE = all(
            "clients.idle",
            SettingFormats.time(Duration.ofMillis(1), ClientSettings.LONGEST),
            ClientSettings.DEFAULT.idle(),
            "how long a connection may be silent before it is closed");

    static final Setting<Duration> LONGEST_HOLD = all(
            "permits.longest_hold",
            SettingFormats.time(Duration.ofMillis(1), PermitSettings.LONGEST),
            PermitSettings.DEFAULT.longestHold(),
            "the longest `hold_ms` of a permit; a permit that is needed for longer has to be renewed");

    static final Setting<Duration> WARM_UP_TARGET = all(
            "warm_up.target",
            SettingFormats.time(Duration.ofMillis(1), WarmUpSettings.LONGEST),
            WarmUpSettings.DEFAULT.target(),
            "the node is ready when 99 of 100 warm-up requests take at most this long");
    static final Setting<Duration> WARM_UP_AT_MOST = all(
            "warm_up.at_most",
            SettingFormats.timeOrNone(WarmUpSettings.LONGEST),
            WarmUpSettings.DEFAULT.atMost(),
            "maximum warm-up time; the node is then ready anyway. `0`: no warm-up");

    static final Setting<Duration> DRAIN_DELAY = all(
            "drain.delay",
            SettingFormats.timeOrNone(DrainSettings.LONGEST),
            DrainSettings.DEFAULT.delay(),
            "after SIGTERM, keep serving for this time while `/health/ready` answers 503");
    static final Setting<Duration> DRAIN_AT_MOST = all(
            "drain.at_most",
            SettingFormats.timeOrNone(DrainSettings.LONGEST),
            DrainSettings.DEFAULT.atMost(),
            "then wait at most this long for requests under way; `0` ends at once");

    static final Setting<LogFormat> LOG_FORMAT = all(
            "log.format",
            SettingFormats.word(LogFormat.class),
            LogFormat.PLAIN,
            "`plain`, or `json` with one object a line");

    static final Setting<String> REGION = all(
            "region",
            SettingFormats.region(),
            null,
            "where this node is: a name that its metrics and its decision log bear");
    static final Setting<Path> DECISION_LOG = all(
            "decision_log.file",
            SettingFormats.newFile(),
            null,
            "where decisions are written down, as lines of JSON; at 100 MB another one is begun, and five are kept");
    static final Setting<Integer> LOGGED_DENIALS = all(
            "decision_log.denied",
            SettingFormats.percent(),
            ObserveSettings.DEFAULT.loggedDenials(),
            "how many of a hundred denials are written there, also of those that are only observed");
    static final Setting<Integer> LOGGED_OTHERS = all(
            "decision_log.allowed",
            SettingFormats.percent(),
            ObserveSettings.DEFAULT.loggedOthers(),
            "how many of a hundred others");
    static final Setting<Integer> HOT_PER_SECOND = all(
            "hot_keys.per_second",
            SettingFormats.number("NUMBER", 1, ObserveSettings.MOST_PER_SECOND),
            ObserveSettings.DEFAULT.hotPerSecond(),
            "so many decisions a second, over a minute, make a key a hot one");

    static final Setting<URI> TRACES = all(
            "traces.otlp",
            SettingFormats.collector(),
            null,
            "where decisions are traced to, by OTLP over HTTP: `http://localhost:4318`; those of callers that trace");

    private SettingTable() {}

    public static List<Setting<?>> settings() {
        return List.copyOf(ALL);
    }

    private static <T> Setting<T> all(String name, SettingFormat<T> form, @Nullable T byDefault, String meaning) {
        return added(new Setting<>(name, form, byDefault, Ways.ALL, meaning));
    }

    private static <T> Setting<T> secret(String name, SettingFormat<T> form, String meaning) {
        return added(new Setting<>(name, form, null, Ways.VARIABLE, meaning));
    }

    private static <T> Setting<T> added(Setting<T> setting) {
        ALL.add(setting);
        return setting;
    }
}
