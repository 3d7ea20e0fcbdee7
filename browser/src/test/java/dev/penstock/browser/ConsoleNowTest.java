package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What goes on now, as the console shows it. */
class ConsoleNowTest {
    @RegisterExtension
    final Chromium chromium = new Chromium();

    @TempDir
    Path directory;

    @Test
    void decisions_areCountedAndDrawn_asAWholeAndByPolicy() throws Exception {
        try (ConsoleService service = ConsoleService.start(directory)) {
            service.decide(9, Map.of("route", "/api/x", "user", "alice"));
            Page page = chromium.open(service.address() + "/");

            assertThat(page).hasURL(service.address() + "/console");
            assertThat(page.locator("#tile-total .more")).hasText("9 in 5 min");
            assertThat(page.locator("#tile-allowed .more")).hasText("5, 55.6 %");
            assertThat(page.locator("#tile-denied .more")).hasText("4, 44.4 %");
            assertThat(page.locator("#tile-shadow_denied .more")).hasText(Pattern.compile("^3,"));
            assertThat(page.locator("#by-policy-rows .title")).hasCount(2);
            assertThat(page.locator("#connection")).hasText("live");
            Chromium.picture(page, "now");
        }
    }
}
