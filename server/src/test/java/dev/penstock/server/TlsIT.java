package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.penstock.server.internal.net.TlsCertificates;
import dev.penstock.testkit.LogLines;
import dev.penstock.testkit.server.TlsIdentity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** TLS with the JDK's client, over real sockets. */
class TlsIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Created once, because keytool is slow. */
    private static TlsIdentity first;

    private static TlsIdentity second;

    @TempDir
    Path directory;

    private Path certificate;
    private Path key;

    @BeforeAll
    static void identities(@TempDir Path shared) {
        first = TlsIdentity.create(shared, "first");
        second = TlsIdentity.create(shared, "second");
    }

    @BeforeEach
    void files() throws IOException {
        certificate = Files.copy(first.certificate(), directory.resolve("tls.crt"));
        key = Files.copy(first.key(), directory.resolve("tls.key"));
    }

    private TestService start(Path clientCa) throws Exception {
        return TestService.start(directory, settings -> settings.withTls(new TlsSettings(certificate, key, clientCa)));
    }

    private void put(TlsIdentity identity) throws IOException {
        Files.copy(identity.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(identity.key(), key, StandardCopyOption.REPLACE_EXISTING);
    }

    private static HttpClient client(SSLContext context, HttpClient.Version version) {
        return HttpClient.newBuilder().sslContext(context).version(version).build();
    }

    private static HttpResponse<String> ready(HttpClient client, TestService service) throws Exception {
        URI uri = URI.create("https://127.0.0.1:" + service.port() + "/health/ready");
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static String nameShown(TestService service, SSLContext context) throws IOException {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", service.port())) {
            socket.startHandshake();
            return socket.getSession().getPeerPrincipal().getName();
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void requests_areServed_inTheProtocolThatTheClientChooses(HttpClient.Version version) throws Exception {
        try (TestService service = start(null)) {
            HttpResponse<String> response = ready(client(Trust.in(first), version), service);

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.version()).isEqualTo(version);
        }
    }

    @Test
    void plaintextRequests_getNothing() throws Exception {
        try (TestService service = start(null);
                RawClient client = RawClient.to(service.port())) {
            client.send("GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(client.all()).doesNotContain("HTTP/1.1 200").doesNotContain("ready");
        }
    }

    @Test
    void adminPort_usesPlaintext_unlessTlsIsOn() throws Exception {
        try (TestService service = start(null)) {
            assertThat(service.get(service.server().adminPort(), "/admin/status")
                            .statusCode())
                    .isEqualTo(200);
        }
        TlsSettings both = new TlsSettings(certificate, key, null, TlsSettings.Ports.MAIN_AND_ADMIN);
        try (TestService service = TestService.start(directory, settings -> settings.withTls(both))) {
            URI status = URI.create("https://127.0.0.1:" + service.server().adminPort() + "/admin/status");
            HttpResponse<String> response = client(Trust.in(first), HttpClient.Version.HTTP_2)
                    .send(HttpRequest.newBuilder(status).build(), BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> service.get(service.server().adminPort(), "/admin/status"))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void clientCa_servesOnlyClientsWithItsCertificates() throws Exception {
        TlsIdentity friend = TlsIdentity.create(directory, "friend");
        try (TestService service = start(friend.certificate())) {
            HttpClient with = client(Trust.in(first, friend), HttpClient.Version.HTTP_2);
            HttpClient without = client(Trust.in(first), HttpClient.Version.HTTP_2);
            HttpClient stranger = client(Trust.in(first, second), HttpClient.Version.HTTP_1_1);

            assertThat(ready(with, service).statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> ready(without, service)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> ready(stranger, service)).isInstanceOf(IOException.class);
        }
    }

    /** Callers without a token are distinguished by their certificates. */
    @Test
    void idempotencyKeys_belongToTheCertificate() throws Exception {
        TlsIdentity friend = TlsIdentity.create(directory, "friend");
        Path both = Files.writeString(
                directory.resolve("both.crt"),
                Files.readString(friend.certificate()) + Files.readString(second.certificate()));
        try (TestService service = start(both)) {
            HttpClient one = client(Trust.in(first, friend), HttpClient.Version.HTTP_2);
            HttpClient other = client(Trust.in(first, second), HttpClient.Version.HTTP_2);

            assertThat(check(one, service, "ann").statusCode()).isEqualTo(200);
            assertThat(check(other, service, "bob").statusCode()).isEqualTo(200);
            assertThat(check(one, service, "bob").statusCode()).isEqualTo(422);
        }
    }

    private static HttpResponse<String> check(HttpClient client, TestService service, String user) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + service.port() + "/v1/check"))
                .header("Idempotency-Key", "k1")
                .POST(HttpRequest.BodyPublishers.ofString(TestService.body(user)))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    @Test
    void newCertificate_isLoaded_andConnectionsStayOpen() throws Exception {
        try (TestService service = start(null)) {
            HttpClient before = client(Trust.in(first), HttpClient.Version.HTTP_1_1);
            assertThat(ready(before, service).statusCode()).isEqualTo(200);
            put(second);
            await().atMost(LONG)
                    .until(() -> nameShown(service, Trust.inAll(first, second)).equals("CN=second"));

            assertThat(ready(before, service).statusCode())
                    .as("a client that trusts only the first certificate, on its open connection")
                    .isEqualTo(200);
            assertThat(ready(client(Trust.in(second), HttpClient.Version.HTTP_2), service)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void reload_loadsItAtOnce() throws Exception {
        try (TestService service = start(null)) {
            put(second);
            try (LogLines log = LogLines.of(TlsCertificates.class)) {
                service.server().reload();
                service.server().reload();
                assertThat(log.all())
                        .singleElement()
                        .asString()
                        .startsWith("INFO tls: a new certificate is in use: CN=second, valid until ");
            }

            assertThat(nameShown(service, Trust.in(second))).isEqualTo("CN=second");
        }
    }

    @Test
    void badNewCertificate_keepsThePreviousOne_andIsReported() throws Exception {
        try (TestService service = start(null)) {
            Files.copy(second.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING); // without its key
            service.server().reload();
            HttpResponse<String> ready = ready(client(Trust.in(first), HttpClient.Version.HTTP_2), service);

            service.server().reload();

            assertThat(nameShown(service, Trust.in(first))).isEqualTo("CN=first");
            assertThat(ready.body()).contains("the TLS files cannot be used: the previous certificate stays in use");
            assertThat(service.get(service.server().adminPort(), "/metrics").body())
                    .contains("rate_limiter_tls_failures_total 1.0");
            put(second);
            service.server().reload();
            assertThat(ready(client(Trust.in(second), HttpClient.Version.HTTP_2), service)
                            .body())
                    .contains("\"notes\":[]");
        }
    }

    @Test
    void newClientCa_isLoaded() throws Exception {
        Path clientCa = Files.copy(first.certificate(), directory.resolve("ca.crt"));
        try (TestService service = start(clientCa)) {
            assertThatThrownBy(() -> ready(client(Trust.in(first, second), HttpClient.Version.HTTP_1_1), service))
                    .isInstanceOf(IOException.class);
            Files.copy(second.certificate(), clientCa, StandardCopyOption.REPLACE_EXISTING);
            try (LogLines log = LogLines.of(TlsCertificates.class)) {
                service.server().reload();
                assertThat(log.all())
                        .containsExactly("INFO tls: new authorities for client certificates are in use: CN=second");
            }

            assertThat(ready(client(Trust.in(first, second), HttpClient.Version.HTTP_1_1), service)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    /** Errors in the files, and the messages about them. */
    enum Wrong {
        NO_CERTIFICATE("tls.certificate: CERTIFICATE contains no certificate (expected: certificates in PEM") {
            @Override
            void make(TlsIT test) throws IOException {
                Files.writeString(test.certificate, "nothing");
            }
        },
        BROKEN_CERTIFICATE("tls.certificate: CERTIFICATE contains an invalid certificate (expected: ") {
            @Override
            void make(TlsIT test) throws IOException {
                Files.writeString(test.certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
            }
        },
        NO_KEY("tls.key: FILE contains no key (expected: a key in PEM that begins with BEGIN PRIVATE KEY") {
            @Override
            void make(TlsIT test) throws IOException {
                Files.copy(test.certificate, test.key, StandardCopyOption.REPLACE_EXISTING);
            }
        },
        KEY_WITH_A_PASSWORD("tls.key: FILE contains BEGIN ENCRYPTED PRIVATE KEY (expected: a key in PEM") {
            @Override
            void make(TlsIT test) throws IOException {
                String text = Files.readString(test.key).replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
                Files.writeString(test.key, text);
            }
        },
        OLD_KEY(
                "tls.key: FILE contains BEGIN EC PRIVATE KEY (expected: a key in PEM that begins with BEGIN PRIVATE KEY") {
            @Override
            void make(TlsIT test) throws IOException {
                Files.writeString(test.key, Files.readString(test.key).replace("PRIVATE KEY", "EC PRIVATE KEY"));
            }
        },
        KEY_OF_ANOTHER("tls.key: FILE (expected: the key of the first certificate in tls.certificate)") {
            @Override
            void make(TlsIT test) throws IOException {
                Files.copy(second.key(), test.key, StandardCopyOption.REPLACE_EXISTING);
            }
        },
        BROKEN_KEY("tls.key: FILE (expected: a key of the same kind as tls.certificate, EC)") {
            @Override
            void make(TlsIT test) throws IOException {
                Files.writeString(test.key, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
            }
        },
        MISSING("tls.key: FILE (expected: a file that can be read)") {
            @Override
            void make(TlsIT test) throws IOException {
                Files.delete(test.key);
            }
        };

        private final String message;

        Wrong(String message) {
            this.message = message;
        }

        abstract void make(TlsIT test) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void wrongFiles_preventTheStart_andNameTheSetting(Wrong wrong) throws Exception {
        wrong.make(this);

        assertThatThrownBy(() -> start(null).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(wrong.message
                        .replace("CERTIFICATE contains", certificate + " contains")
                        .replace("FILE", key.toString()));
    }
}
