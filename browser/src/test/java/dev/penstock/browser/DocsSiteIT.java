package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The documentation site that {@code ./penstock docs} builds: pages, search and Javadoc, on a desktop and on a phone. */
class DocsSiteIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "css", "text/css", "js", "text/javascript", "json", "application/json");

    @TempDir
    static Path directory;

    private static HttpServer server;
    private static String address;

    @RegisterExtension
    final Chromium chromium = new Chromium();

    @BeforeAll
    static void build() throws Exception {
        assumeTrue(
                Files.isDirectory(ROOT.resolve("target/tools/mkdocs/packages/material")),
                "no MkDocs: ./penstock test fetches it if Python is there");
        Path sources = Files.createDirectory(directory.resolve("sources"));
        Path site = directory.resolve("site");
        Path log = directory.resolve("log");
        // A copy, because the build that runs this test writes to the same directories.
        String copy = "(cd '" + ROOT + "' && tar cf - --exclude=target --exclude=.git .) | tar xf - && "
                + "mkdir target && ln -s '" + ROOT.resolve("target/tools") + "' target/tools && "
                + "./penstock docs '" + site + "'";
        Process process = new ProcessBuilder("bash", "-c", copy)
                .directory(sources.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
        serve(site);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    @Test
    void search_onADesktop_leadsToThePage() {
        Page page = chromium.open(address + "/index.html");
        assertThat(page.locator("h1").first()).hasText("Penstock¶");
        Chromium.picture(page, "site-home");

        page.locator("input.md-search__input").focus();
        assertThat(page.locator(".md-search-result__meta"))
                .containsText("Type to start searching"); // the index is loaded
        page.locator("input.md-search__input").pressSequentially("sliding log");
        page.locator(".md-search-result__link", new Page.LocatorOptions().setHasText("Choose an algorithm"))
                .first()
                .click();
        assertThat(page.locator("h1").first()).containsText("Choose an algorithm");
        Chromium.picture(page, "site-search");
    }

    @Test
    void menu_onAPhone_leadsToThePages() {
        Page page = chromium.open(
                address + "/docs/operating.html",
                new Browser.NewContextOptions().setViewportSize(390, 844).setColorScheme(ColorScheme.DARK));
        assertThat(page.locator("h1").first()).containsText("Operate");
        Object overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assertThat(overflow)
                .as("pixels that a phone would have to scroll sideways")
                .isEqualTo(0);
        page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/screenshots/site-phone.png")));

        page.locator("label.md-header__button[for=__drawer]").click();
        assertThat(page.locator(".md-nav--primary")).isVisible();
    }

    @Test
    void javadoc_hasTheApi() {
        Page page = chromium.open(address + "/javadoc/dev.penstock.core/dev/penstock/Limiter.html");
        assertThat(page.locator("h1").first()).containsText("Limiter");
        Chromium.picture(page, "site-javadoc");
        assertThat(Files.exists(
                        directory.resolve("site/javadoc/dev.penstock.redis/dev/penstock/redis/RedisEngine.html")))
                .isTrue();
    }

    @Test
    void folders_thatPagesLinkTo_listTheirFiles() {
        Page page = chromium.open(address + "/examples/saas/index.html");
        assertThat(page.locator("article a[href='tenants.yaml']")).isVisible();
    }

    private static void serve(Path site) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            Path file = site.resolve(exchange.getRequestURI().getPath().substring(1))
                    .normalize();
            boolean isFound = file.startsWith(site) && Files.isRegularFile(file);
            byte[] body = isFound ? Files.readAllBytes(file) : "not found".getBytes(StandardCharsets.UTF_8);
            String name = file.getFileName().toString();
            String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
            exchange.getResponseHeaders().put("Content-Type", type == null ? List.of() : List.of(type));
            exchange.sendResponseHeaders(isFound ? 200 : 404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        address = "http://127.0.0.1:" + server.getAddress().getPort();
    }
}
