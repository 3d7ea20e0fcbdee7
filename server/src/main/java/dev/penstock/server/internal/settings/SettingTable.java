package dev.penstock.server.internal.settings;

import dev.penstock.engine.NewKeyBudget;
import dev.penstock.policy.address.IpRanges;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
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
import dev.penstock.server.RedisSettings;
import dev.penstock.server.RedisUri;
import dev.penstock.server.Secret;
import dev.penstock.server.ServerSettings;
import dev.penstock.server.WarmUpSettings;
import dev.penstock.server.internal.settings.Setting.Sources;
import dev.penstock.spi.Ask;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All settings, in the order of the documentation. */
public final class SettingTable {
    private static final List<Setting<?>> ALL = new ArrayList<>();

    static final Setting<List<Path>> POLICIES =
            all("policies", SettingFormats.paths(), null, "policy files or directories of them. Required");
    static final Setting<Integer> PORT = all(
            "port",
            SettingFormats.number("PORT", 0, ListenAddress.HIGHEST_PORT),
            ServerSettings.DEFAULT_AT.port(),
            "the main port. 0: any free port");
    static final Setting<String> HOST = all(
            "host",
            SettingFormats.host(),
            ServerSettings.DEFAULT_AT.host(),
            "the address that the main port listens on");
    static final Setting<RedisUri> REDIS = added(
            new Setting<>(
                    "redis",
                    SettingFormats.redis(),
                    null,
                    Sources.ALL_UNSEEN,
                    "the Redis that all nodes share: `redis://user:password@host:port`. Use `rediss://` for TLS, `redis-sentinel://` for Sentinels, and `redis-cluster://` for a Cluster. Without this setting, the node counts in memory"));
    static final Setting<PasswordFile> REDIS_PASSWORD_FILE = all(
            "redis_password_file",
            SettingFormats.passwordFile(),
            null,
            "a file that has only the Redis password, on one line. Name the user in the address: `redis://user:@host`");
    static final Setting<String> REDIS_PREFIX = all(
            "redis_prefix",
            SettingFormats.keyPrefix(),
            RedisSettings.DEFAULT.prefix(),
            "the prefix of all keys in Redis. Deployments with different prefixes can share a Redis. All nodes of a deployment must use the same one");
    static final Setting<Path> REDIS_CA = all(
            "redis_tls.ca",
            SettingFormats.file(),
            null,
            "certificate authorities (PEM) that may issue the certificate of Redis. By default, those that the JDK trusts. Only with `rediss://` or another address that uses TLS");
    static final Setting<Path> REDIS_CERTIFICATE = all(
            "redis_tls.certificate",
            SettingFormats.file(),
            null,
            "the certificate (PEM) that this node presents to Redis");
    static final Setting<Path> REDIS_KEY = all(
            "redis_tls.key",
            SettingFormats.file(),
            null,
            "the private key of `redis_tls.certificate` (PEM, PKCS #8, not encrypted)");
    static final Setting<Duration> DEADLINE = all(
            "deadline",
            SettingFormats.time(Duration.ofMillis(1), Ask.LONGEST_WAIT),
            ServerSettings.DEFAULT_DEADLINE,
            "how long a decision waits for Redis, not counting this node's own delay. After that, each policy's `on_store_failure` decides");
    static final Setting<Integer> NODES = all(
            "nodes",
            SettingFormats.number("NUMBER", 1, ServerSettings.MOST_NODES),
            null,
            "the number of nodes that divide the limits while Redis is down. By default, the number that Redis last reported");

    static final Setting<Optional<Integer>> REDIS_NEW_KEYS = all(
            "redis_new_keys",
            SettingFormats.numberOrOff("NUMBER", 1, NewKeyBudget.MOST_PER_SECOND),
            Optional.of(NewKeyBudget.DEFAULT_PER_SECOND),
            "maximum number of new long-lived keys (more than a minute) that each policy creates in Redis per second through this node. Further requests that need one are denied as `too_many_new_keys`. `off`: no maximum");

    static {
        ALL.addAll(EngineSettingTable.settings());
    }

    static final Setting<List<Secret>> TOKENS =
            secret("tokens", SettingFormats.tokens(), "bearer tokens for the main port. If set, callers must send one");
    static final Setting<TokenFile> TOKENS_FILE = all(
            "tokens_file",
            SettingFormats.tokenFile(TokenFile.Lines.TOKEN),
            null,
            "a file with bearer tokens for the main port, one per line");
    static final Setting<List<String>> HOSTS = all(
            "hosts",
            SettingFormats.hostNames(),
            List.of(),
            "host names under which web pages may call the main port, in addition to IP addresses and `localhost`. Checked only if no token is required and the call is not over TLS");
    static final Setting<Path> TLS_CERTIFICATE =
            all("tls.certificate", SettingFormats.file(), null, "the certificate chain of the main port (PEM)");
    static final Setting<Path> TLS_KEY =
            all("tls.key", SettingFormats.file(), null, "the private key of `tls.certificate` (PEM, not encrypted)");
    static final Setting<Path> TLS_CLIENT_CA = all(
            "tls.client_ca",
            SettingFormats.file(),
            null,
            "certificate authorities (PEM). If set, clients must present a certificate issued by one of them");

    static final Setting<Boolean> TLS_ADMIN =
            all("tls.admin", SettingFormats.yesOrNo(), false, "use the TLS files for the admin port too");

    static final Setting<Integer> ADMIN_PORT = all(
            "admin.port",
            SettingFormats.number("PORT", 0, ListenAddress.HIGHEST_PORT),
            AdminSettings.DEFAULT.at().port(),
            "the admin port. 0: any free port");
    static final Setting<String> ADMIN_HOST = all(
            "admin.host",
            SettingFormats.host(),
            AdminSettings.DEFAULT.at().host(),
            "the address that the admin port listens on. Addresses other than loopback require a token");
    static final Setting<Secret> ADMIN_TOKEN = secret(
            "admin.token",
            SettingFormats.token(),
            "a bearer token with full access to the admin port. Without any token, everybody who reaches the port may read, and may make changes only if there is no Redis");
    static final Setting<TokenFile> ADMIN_TOKEN_FILE = all(
            "admin.token_file",
            SettingFormats.tokenFile(TokenFile.Lines.NAME_AND_TOKEN),
            null,
            "a file with bearer tokens that have full access to the admin port, one per line. Put a name and a space before a token to see the name in the audit log");
    static final Setting<List<Secret>> ADMIN_READ_TOKENS = secret(
            "admin.read_tokens",
            SettingFormats.tokens(),
            "bearer tokens that may read on the admin port but change nothing");
    static final Setting<TokenFile> ADMIN_READ_TOKENS_FILE = all(
            "admin.read_tokens_file",
            SettingFormats.tokenFile(TokenFile.Lines.NAME_AND_TOKEN),
            null,
            "a file with bearer tokens that may read on the admin port but change nothing, in the format of `admin.token_file`");
    static final Setting<Optional<Path>> ADMIN_AUDIT = all(
            "admin.audit_file",
            SettingFormats.newFileOrNone(),
            Optional.of(AdminSettings.USUAL_AUDIT),
            "the audit log: every change is written here before it is made, as a line of JSON. `off`: no audit log");
    static final Setting<Integer> METRICS_PORT = all(
            "metrics.port",
            SettingFormats.number("PORT", 0, ListenAddress.HIGHEST_PORT),
            null,
            "a separate port for `/metrics`, without a token. By default, metrics are on the admin port");
    static final Setting<String> METRICS_HOST = all(
            "metrics.host",
            SettingFormats.host(),
            null,
            "the address that the metrics port listens on. `" + AdminSettings.USUAL_METRICS_HOST + "` by default");
    static final Setting<Integer> METRICS_TENANTS = all(
            "metrics.tenants",
            SettingFormats.number("NUMBER", 0, MetricSettings.MOST),
            MetricSettings.DEFAULT.tenants(),
            "maximum number of tenants that get their own `http_429_total` label: those that are denied first. The rest share `(others)`");
    static final Setting<Integer> METRICS_SERIES = all(
            "metrics.series",
            SettingFormats.number("NUMBER", 1, MetricSettings.MOST),
            MetricSettings.DEFAULT.series(),
            "maximum number of time series with decision labels. Further ones are counted as `(others)`");
    static final Setting<URI> OTLP_URL = all(
            "metrics.otlp.url",
            SettingFormats.otlpUrl(),
            null,
            "also push metrics to this OTLP/HTTP endpoint: `http://localhost:4318/v1/metrics`");
    static final Setting<Duration> OTLP_INTERVAL = all(
            "metrics.otlp.interval",
            SettingFormats.time(OtlpSettings.SHORTEST, OtlpSettings.LONGEST),
            OtlpSettings.USUAL_INTERVAL,
            "how often to push metrics to `metrics.otlp.url`");

    static final Setting<AddressSettings.Header> ADDRESS_HEADER = all(
            "address.header",
            SettingFormats.word(AddressSettings.Header.class),
            AddressSettings.DEFAULT.header(),
            "the header in which proxies pass the client's address: `x-forwarded-for` or `forwarded`");
    static final Setting<Integer> TRUSTED_HOPS = all(
            "address.trusted_hops",
            SettingFormats.number("NUMBER", 0, AddressSettings.MOST_HOPS),
            AddressSettings.DEFAULT.trustedHops(),
            "the number of your own proxies in front of the service. 0: ignore the header");
    static final Setting<List<IpRanges.Range>> TRUSTED_PROXIES = all(
            "address.trusted_proxies",
            SettingFormats.ranges(),
            AddressSettings.DEFAULT.trustedProxies(),
            "the networks of your own proxies. Use this or `address.trusted_hops`, not both");

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
            "`X-RateLimit-Reset` as seconds since 1970 (`epoch`) or from now (`delta`)");
    static final Setting<Boolean> RETRY_AFTER = all(
            "headers.retry_after",
            SettingFormats.yesOrNo(),
            HeaderSettings.DEFAULT.retryAfter(),
            "send `Retry-After` on denials");
    static final Setting<Duration> RETRY_AFTER_JITTER = all(
            "headers.retry_after_jitter",
            SettingFormats.seconds(HeaderSettings.LONGEST_JITTER),
            HeaderSettings.DEFAULT.retryAfterJitter(),
            "maximum random time that is added to `Retry-After`, so that clients do not all return at once");

    static final Setting<GateSettings.DeniedStatus> DENIED_STATUS = all(
            "gate.denied_status",
            SettingFormats.deniedStatus(),
            GateSettings.DEFAULT.deniedStatus(),
            "the status of `/v1/gate` for a denied request: `by-reason` (429 for limits and blocks, 503 if the store failed, 403 for deny lists), or the same for all: 429, or 403 for nginx");
    static final Setting<GateSettings.RequestHeaders> GATE_REQUEST_HEADERS = all(
            "gate.request_headers",
            SettingFormats.word(GateSettings.RequestHeaders.class),
            GateSettings.DEFAULT.requestHeaders(),
            "the headers that describe the original request: `x-forwarded` (`-Method`, `-Host`, `-Uri`) or `x-original`");
    static final Setting<Map<String, String>> GATE_ATTRIBUTES = all(
            "gate.attributes",
            SettingFormats.gateAttributes(),
            GateSettings.DEFAULT.attributes(),
            "parts of the request that become attributes: headers, cookies, and claims of tokens that the gateway has verified: `x-tenant=tenant,cookie:session=session,claim:x-jwt-payload/sub=user`");
    static final Setting<Duration> GATE_LONGEST_DELAY = all(
            "gate.longest_delay",
            SettingFormats.timeOrNone(GateSettings.LONGEST_DELAY),
            GateSettings.DEFAULT.longestDelay(),
            "the longest time by which `/v1/gate` delays its answer for a leaky bucket, less than `clients.slowest`. A request that would have to wait longer is denied");

    static final Setting<List<Path>> ENVOY_RULES = all(
            "envoy.rules",
            SettingFormats.paths(),
            EnvoySettings.DEFAULT.rules(),
            "configuration files of envoyproxy/ratelimit, or directories of them. Their limits decide Envoy's requests instead of the policies");
    static final Setting<Boolean> ENVOY_MERGE_DOMAINS = all(
            "envoy.merge_domains",
            SettingFormats.yesOrNo(),
            EnvoySettings.DEFAULT.sameDomain() == SameDomain.MERGED,
            "allow several files of `envoy.rules` to define the same domain");
    static final Setting<Boolean> ENVOY_COUNT_DENIED = all(
            "envoy.count_denied",
            SettingFormats.yesOrNo(),
            EnvoySettings.DEFAULT.countDenied(),
            "count denied requests under each descriptor, as envoyproxy/ratelimit does. Only with `envoy.rules`");
    static final Setting<EnvoySettings.Headers> ENVOY_HEADERS = all(
            "envoy.headers",
            SettingFormats.word(EnvoySettings.Headers.class),
            EnvoySettings.DEFAULT.headers(),
            "headers that Envoy adds to responses: `numbers` (`RateLimit-Limit`, `-Remaining`, `-Reset`), `fields` (those that the `headers` settings select), or none (`off`)");
    static final Setting<Boolean> ENVOY_METADATA = all(
            "envoy.metadata",
            SettingFormats.yesOrNo(),
            EnvoySettings.DEFAULT.metadata(),
            "send the names of the denying policies to Envoy as dynamic metadata");

    static final Setting<Integer> CLIENT_CONNECTIONS = all(
            "clients.connections",
            SettingFormats.number("NUMBER", 1, ClientSettings.MOST_CONNECTIONS),
            ClientSettings.DEFAULT.connections(),
            "maximum number of connections on the main port. Further ones are closed at once");
    static final Setting<Integer> CLIENT_STREAMS = all(
            "clients.streams",
            SettingFormats.number("NUMBER", 1, ClientSettings.MOST_STREAMS),
            ClientSettings.DEFAULT.streams(),
            "maximum number of concurrent requests on one HTTP/2 connection. Further streams are refused. HTTP/1 handles one request at a time");
    static final Setting<Integer> CLIENT_WAITING = all(
            "clients.waiting",
            SettingFormats.number("NUMBER", 1, ClientSettings.MOST_WAITING),
            ClientSettings.DEFAULT.waiting(),
            "maximum number of decisions that wait for Redis at a time. The next one is answered at once as `overloaded` (503)");
    static final Setting<Integer> CLIENT_BODY = all(
            "clients.body_bytes",
            SettingFormats.number("BYTES", 1, ClientSettings.LARGEST_BODY),
            ClientSettings.DEFAULT.bodyBytes(),
            "maximum size of a request body");
    static final Setting<Integer> CLIENT_HEADER = all(
            "clients.header_bytes",
            SettingFormats.number("BYTES", ClientSettings.SMALLEST_HEADER, ClientSettings.LARGEST_HEADER),
            ClientSettings.DEFAULT.headerBytes(),
            "maximum size of a request's header");
    static final Setting<Integer> CLIENT_BUFFERS = all(
            "clients.buffer_bytes",
            SettingFormats.number("BYTES", 0, ClientSettings.MOST_BUFFERS),
            ClientSettings.DEFAULT.bufferBytes(),
            "maximum number of bytes that unread answers and unfinished requests take in the whole process. `0`: an eighth of the heap");
    static final Setting<Duration> CLIENT_SLOWEST = all(
            "clients.slowest",
            SettingFormats.time(Duration.ofMillis(1), ClientSettings.LONGEST),
            ClientSettings.DEFAULT.slowest(),
            "how long a client may take to send a header and then a body, and how long a call may take in total. Slower clients are disconnected, and longer calls get 503");
    static final Setting<Duration> CLIENT_IDLE = all(
            "clients.idle",
            SettingFormats.time(Duration.ofMillis(1), ClientSettings.LONGEST),
            ClientSettings.DEFAULT.idle(),
            "how long a connection may be idle before it is closed");

    static final Setting<Duration> LONGEST_HOLD = all(
            "permits.longest_hold",
            SettingFormats.time(Duration.ofMillis(1), PermitSettings.LONGEST),
            PermitSettings.DEFAULT.longestHold(),
            "the maximum `hold_ms` of a permit. Renew a permit that is needed for longer");

    static final Setting<Duration> WARM_UP_TARGET = all(
            "warm_up.target",
            SettingFormats.time(Duration.ofMillis(1), WarmUpSettings.LONGEST),
            WarmUpSettings.DEFAULT.target(),
            "the warm-up ends when 99 of 100 requests take at most this long");
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
            "after `drain.delay`, wait at most this long for requests in progress. `0`: end at once");

    static final Setting<LogFormat> LOG_FORMAT = all(
            "log.format",
            SettingFormats.word(LogFormat.class),
            LogFormat.PLAIN,
            "`plain`, or `json` with one object per line");

    static final Setting<String> REGION = all(
            "region",
            SettingFormats.region(),
            null,
            "the name of this node's region, shown in metrics and in the decision log");
    static final Setting<Path> DECISION_LOG = all(
            "decision_log.file",
            SettingFormats.newFile(),
            null,
            "write decisions to this file as lines of JSON. A new file starts at 100 MB; five are kept");
    static final Setting<Integer> LOGGED_DENIALS = all(
            "decision_log.denied",
            SettingFormats.percent(),
            ObserveSettings.DEFAULT.loggedDenials(),
            "percentage of denials to log, shadow denials included");
    static final Setting<Integer> LOGGED_OTHERS = all(
            "decision_log.allowed",
            SettingFormats.percent(),
            ObserveSettings.DEFAULT.loggedOthers(),
            "percentage of other decisions to log");
    static final Setting<Integer> HOT_PER_SECOND = all(
            "hot_keys.per_second",
            SettingFormats.number("NUMBER", 1, ObserveSettings.MOST_PER_SECOND),
            ObserveSettings.DEFAULT.hotPerSecond(),
            "a key is hot if it gets this many decisions per second over a minute");

    static final Setting<URI> TRACES = all(
            "traces.otlp",
            SettingFormats.collector(),
            null,
            "send traces of decisions to this OTLP/HTTP endpoint: `http://localhost:4318`. Only requests that carry a trace context are traced");

    private SettingTable() {}

    public static List<Setting<?>> settings() {
        return List.copyOf(ALL);
    }

    private static <T> Setting<T> all(String name, SettingFormat<T> form, @Nullable T byDefault, String meaning) {
        return added(new Setting<>(name, form, byDefault, Sources.ALL, meaning));
    }

    private static <T> Setting<T> secret(String name, SettingFormat<T> form, String meaning) {
        return added(new Setting<>(name, form, null, Sources.VARIABLE, meaning));
    }

    private static <T> Setting<T> added(Setting<T> setting) {
        ALL.add(setting);
        return setting;
    }
}
