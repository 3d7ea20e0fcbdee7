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
 * The certificate of a port, its key, and those who may vouch for clients: files that may change while they are in use.
 *
 * <p>They are looked at every half second, and taken when they have been still for one look. New connections get what was
 * taken last, and those that there are go on with what they have. Where anything is wrong with the files, what is in use
 * stays, and the log says so.
 *
 * <p>Thread-safe; it has one thread of its own, which ends with {@link #close}.
 */
public final class TlsCertificates implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(TlsCertificates.class.getName());

    private final TlsSettings settings;
    private final Clock clock;
    private final List<Path> paths;
    private final AtomicLong failures = new AtomicLong();
    private final FilePoller looks = new FilePoller("tls", this::look);

    private volatile InUse inUse;

    // Of the one who looks:
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

    /** What new connections get. */
    private record InUse(TlsKeyPair own, @Nullable List<X509Certificate> clientCa) {
        X509Certificate certificate() {
            return own.certificateChain().get(0);
        }

        String text() {
            return certificate().getSubjectX500Principal() + ", valid until "
                    + certificate().getNotAfter().toInstant();
        }

        /** Says in the log what differs from what was in use before. */
        void tellChanges(InUse before) {
            if (!own.equals(before.own)) {
                LOG.log(Level.INFO, "tls: a new certificate is in use, of {0}", text());
            }
            if (clientCa != null && !clientCa.equals(before.clientCa)) {
                List<String> names = clientCa.stream()
                        .map(each -> each.getSubjectX500Principal().toString())
                        .toList();
                LOG.log(Level.INFO, "tls: clients are vouched for by others now: {0}", String.join("; ", names));
            }
        }
    }

    /**
     * Reads the files and begins to look for changes.
     *
     * @throws IllegalArgumentException where they cannot be used, by the name of the setting
     */
    public static TlsCertificates start(TlsSettings settings, Clock clock) {
        TlsCertificates certificates = new TlsCertificates(settings, clock);
        certificates.looks.start();
        return certificates;
    }

    /** The JDK's TLS, so that it is the same on every machine. */
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

    /** Looks at the files now, without waiting for them to be still. */
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
                    "tls: the files cannot be used as they are now; the certificate of " + before.text()
                            + " stays in use\n" + e.getMessage());
        }
    }

    /** Why the files as they are now cannot be used; null while they can. */
    public synchronized @Nullable String failure() {
        return failure;
    }

    /** How often changed files could not be used. */
    public long failures() {
        return failures.get();
    }

    /** Until when the certificate in use is valid. */
    public Instant validUntil() {
        return inUse.certificate().getNotAfter().toInstant();
    }

    @Override
    public void close() {
        looks.close();
    }

    /** What the server asks for each connection. */
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
