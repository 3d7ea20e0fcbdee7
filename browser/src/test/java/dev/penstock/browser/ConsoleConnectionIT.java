package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A service that stops while its console is open, and comes back. */
class ConsoleConnectionIT {
    private static final Map<String, String> ALICE = Map.of("route", "/api/x", "user", "alice");

    @RegisterExtension
    final Chromium chromium = new Chromium();

    @TempDir
    Path directory;

    @Test
    void lostService_isReported_dataStays_andThePageReconnects() throws Exception {
        ConsoleService first = ConsoleService.start(directory);
        Page page = null;
        try {
            first.decide(9, ALICE);
            page = chromium.open(first.console("now"));
            assertThat(page.locator("#tile-total .more")).hasText("9 in 1 min");
        } finally {
            first.close();
        }
        assertThat(page.locator("#gone")).containsText("The service does not answer.");
        assertThat(page.locator("#gone")).containsText(Pattern.compile("The data shown is from \\d\\d:\\d\\d:\\d\\d"));
        assertThat(page.locator("#connection")).hasText("no answer");
        assertThat(page.locator("#tile-total .more")).hasText("9 in 1 min");
        assertThat(page.locator("#decisions-chart")).isVisible();
        Chromium.picture(page, "gone");
        page.locator("#tab-why").click();
        page.locator("#why-form").getByText("Explain").click();
        assertThat(page.locator("#why-answer")).containsText("The service does not answer.");
        page.locator("#tab-now").click();

        try (ConsoleService second = first.again()) {
            assertThat(page.locator("#gone")).isHidden();
            assertThat(page.locator("#connection")).hasText("live");
            second.decide(3, ALICE);
            assertThat(page.locator("#tile-total .more")).hasText("12 in 1 min");
            page.locator("#tab-why").click();
            assertThat(page.locator("#recent")).containsText("Waiting for decisions");
            second.decide(1, ALICE);
            assertThat(page.locator("#recent button").first()).isVisible();
        }
    }

    @Test
    void consoleOpenedTooEarly_startsWhenTheServiceAnswers() throws Exception {
        ConsoleService first = ConsoleService.start(directory);
        Page page = chromium.open(first.console("policies"));
        page.route("**/admin/**", route -> route.abort());
        page.reload();
        assertThat(page.locator("#gone")).containsText("reconnects automatically");
        assertThat(page.locator("#policies")).isHidden();
        page.unroute("**/admin/**");
        try (first) {
            assertThat(page.locator("#source li").first()).isVisible();
            assertThat(page.locator("#gone")).isHidden();
        }
    }
}
