package dev.penstock.server.internal.net;

import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.TlsProvider;
import com.linecorp.armeria.common.util.TlsEngineType;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerTlsConfig;
import dev.penstock.Clock;
import dev.penstock.internal.Expect;
import dev.penstock.policy.internal.file.FileFingerprint;
import dev.penstock.policy.internal.file.FilePoller;
import dev.penstock.server.TlsSettings;
import io.netty.handler.ssl.ClientAuth;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of a port, its key, and the authorities for client certificates. Their files may change while they
 * are in use.
 *
 * <p>The files are checked twice a second, and loaded when they did not change between two checks. New connections use
 * the files that were loaded last; open ones keep what they have. If a file has an error, the previous certificate
 * stays in use, and the log reports the error.
 *
 * <p>Thread-safe. It has one thread, which ends with {@link #close}.
 */
public final class TlsCertificates implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(TlsCertificates.class.getName());

    private final TlsSettings settings;
    private final Clock clock;
    private final List<Path> paths;
    private final AtomicLong failures = new AtomicLong();
    private final FilePoller looks = new FilePoller("tls", this::look);

    private volatile InUse inUse;

    // Used only while checking the files:
    private FileFingerprint marks;
    private @Nullable FileFingerprint unstill;
    private @Nullable String failure;

    private TlsCertificates(TlsSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        Path clientCa = settings.clientCa();
        this.paths = clientCa == null
                ? List.of(settings.certificate(), settings.key())
                : List.of(settings.certificate(), settings.key(), clientCa);
        this.marks = FileFingerprint.of(paths);
        this.inUse = read();
    }

    /** The certificates for new connections. */
    private record InUse(TlsKeyPair own, @Nullable List<X509Certificate> clientCa) {
        X509Certificate certificate() {
            return own.certificateChain().get(0);
        }

        String text() {
            return certificate().getSubjectX500Principal() + ", valid until "
                    + certificate().getNotAfter().toInstant();
        }

        /** Logs the differences from the previous certificates. */
        void tellChanges(InUse before) {
            if (!own.equals(before.own)) {
                LOG.log(Level.INFO, "tls: a new certificate is in use: {0}", text());
            }
            if (clientCa != null && !clientCa.equals(before.clientCa)) {
                List<String> names = clientCa.stream()
                        .map(each -> each.getSubjectX500Principal().toString())
                        .toList();
                LOG.log(
                        Level.INFO,
                        "tls: new authorities for client certificates are in use: {0}",
                        String.join("; ", names));
            }
        }
    }

    /**
     * Reads the files and starts to watch them for changes.
     *
     * @throws IllegalArgumentException if the files cannot be used; the message has the name of the setting
     */
    public static TlsCertificates start(TlsSettings settings, Clock clock) {
        TlsCertificates certificates = new TlsCertificates(settings, clock);
        certificates.looks.start();
        return certificates;
    }

    /** Uses the JDK's TLS, so that it is the same on every machine. */
    void use(ServerBuilder builder) {
        ClientAuth clients = settings.clientCa() == null ? ClientAuth.NONE : ClientAuth.REQUIRE;
        builder.tlsEngineType(TlsEngineType.JDK)
                .tlsProvider(
                        new Provider(),
                        ServerTlsConfig.builder().clientAuth(clients).build());
    }

    private InUse read() {
        List<X509Certificate> chain = PemFiles.certificates("tls.certificate", settings.certificate());
        X509Certificate own = chain.get(0);
        Instant now = Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
        Expect.that(
                !now.isBefore(own.getNotBefore().toInstant())
                        && !now.isAfter(own.getNotAfter().toInstant()),
                "tls.certificate",
                settings.certificate() + ", valid from " + own.getNotBefore().toInstant() + " until "
                        + own.getNotAfter().toInstant(),
                "one that is valid now");
        Path clientCa = settings.clientCa();
        return new InUse(
                TlsKeyPair.of(PemFiles.key("tls.key", settings.key(), own), chain),
                clientCa == null ? null : PemFiles.certificates("tls.client_ca", clientCa));
    }

    /** Loads the files now, without waiting until they stop changing. */
    public synchronized void reload() {
        take(FileFingerprint.of(paths));
    }

    private synchronized void look() {
        FileFingerprint now = FileFingerprint.of(paths);
        if (now.equals(marks)) {
            unstill = null;
        } else if (now.equals(unstill)) {
            take(now);
        } else {
            unstill = now;
        }
    }

    private void take(FileFingerprint seen) {
        boolean areOthers = !seen.equals(marks);
        marks = seen;
        unstill = null;
        InUse before = inUse;
        try {
            InUse next = read();
            failure = null;
            inUse = next;
            next.tellChanges(before);
        } catch (IllegalArgumentException e) {
            if (areOthers || failure == null) {
                failures.incrementAndGet();
            }
            failure = e.getMessage();
            LOG.log(
                    Level.ERROR,
                    "tls: the files cannot be used; the certificate of " + before.text() + " stays in use\n"
                            + e.getMessage());
        }
    }

    /** Returns why the files cannot be used now, or null if they can. */
    public synchronized @Nullable String failure() {
        return failure;
    }

    /** Returns how many times changed files could not be used. */
    public long failures() {
        return failures.get();
    }

    /** Returns the time at which the certificate in use expires. */
    public Instant validUntil() {
        return inUse.certificate().getNotAfter().toInstant();
    }

    @Override
    public void close() {
        looks.close();
    }

    /** Provides the certificates for each new connection. */
    private final class Provider implements TlsProvider {
        @Override
        public TlsKeyPair keyPair(String hostname) {
            return inUse.own();
        }

        @Override
        public @Nullable List<X509Certificate> trustedCertificates(String hostname) {
            return inUse.clientCa();
        }

        @Override
        public boolean autoClose() {
            return false;
        }
    }
}
