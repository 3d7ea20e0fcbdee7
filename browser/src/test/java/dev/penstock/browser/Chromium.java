package dev.penstock.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Opens pages in the installed Chromium, one browser for all tests. After each test it fails if a page reported an
 * error or loaded anything from elsewhere.
 */
final class Chromium implements BeforeEachCallback, AfterEachCallback {
    private static final String PLACE = "penstock.chromium";
    private static final String REQUIRED = "penstock.chromium.required";
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final double PATIENCE_MILLIS = 30_000;

    private final List<BrowserContext> opened = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private final List<String> foreign = new ArrayList<>();
    private Browser browser;

    /** Returns the browser of {@code -Dpenstock.chromium}, or one in a usual place. */
    private static Optional<Path> installed() {
        return Stream.of(
                        System.getProperty(PLACE, ""),
                        "/usr/bin/chromium",
                        "/usr/bin/chromium-browser",
                        "/usr/bin/google-chrome")
                .filter(path -> !path.isEmpty())
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Optional<Path> program = installed();
        String none = "no Chromium in /usr/bin or at -D" + PLACE + "=PATH";
        if (Boolean.getBoolean(REQUIRED)) {
            assertThat(program).as(none).isPresent();
        }
        assumeTrue(program.isPresent(), none);
        browser = context.getRoot()
                .getStore(ExtensionContext.Namespace.create(Chromium.class))
                .computeIfAbsent(Running.class, key -> Running.start(program.orElseThrow()), Running.class)
                .browser();
    }

    Page open(String address) {
        return open(address, new Browser.NewContextOptions().setViewportSize(1280, 900));
    }

    Page open(String address, Browser.NewContextOptions options) {
        BrowserContext context = browser.newContext(options);
        opened.add(context);
        context.setDefaultTimeout(PATIENCE_MILLIS);
        Page page = context.newPage();
        page.onPageError(complaints::add);
        page.onConsoleMessage(message -> {
            if (message.text().contains("Content Security Policy")) {
                complaints.add(message.text());
            }
        });
        String own = URI.create(address).getAuthority();
        page.onRequest(request -> {
            if (!own.equals(URI.create(request.url()).getAuthority())) {
                foreign.add(request.url());
            }
        });
        page.navigate(address);
        return page;
    }

    /** Returns a filter for elements that contain the text. */
    static Locator.FilterOptions text(String text) {
        return new Locator.FilterOptions().setHasText(text);
    }

    /** Saves a screenshot. */
    static void picture(Page page, String name) {
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(SCREENSHOTS.resolve(name + ".png"))
                .setFullPage(true));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        opened.forEach(BrowserContext::close);
        opened.clear();
        assertThat(complaints).as("errors in the page").isEmpty();
        assertThat(foreign).as("requests to elsewhere").isEmpty();
    }

    /** The browser and its driver, which run until all tests are done. */
    private record Running(Playwright playwright, Browser browser) implements AutoCloseable {
        static Running start(Path program) {
            PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
            Playwright playwright = Playwright.create(
                    new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
            return new Running(
                    playwright,
                    playwright
                            .chromium()
                            .launch(new BrowserType.LaunchOptions()
                                    .setExecutablePath(program)
                                    .setArgs(List.of("--no-sandbox", "--disable-gpu"))));
        }

        @Override
        public void close() {
            browser.close();
            playwright.close();
        }
    }
}
