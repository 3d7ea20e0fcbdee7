package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The console with a keyboard, on a phone, and in dark mode. */
class ConsoleUseIT {
    @RegisterExtension
    final Chromium chromium = new Chromium();

    @TempDir
    Path directory;

    private ConsoleService service;

    @BeforeEach
    void start() throws Exception {
        service = ConsoleService.start(directory);
        String longName = "u".repeat(120);
        service.decide(9, Map.of("route", "/api/x", "user", "alice"));
        service.decide(9, Map.of("route", "/api/" + longName, "user", longName));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void keyboard_reachesEverything_withVisibleFocus() {
        Page page = chromium.open(service.address() + "/console");
        assertThat(page.locator("#tile-total .more")).hasText("18 in 1 min");
        page.keyboard().press("Tab");
        assertThat(page.locator(".skip")).isFocused();
        page.keyboard().press("Tab");
        page.keyboard().press("Tab");
        assertThat(page.locator("#tab-now")).isFocused();
        assertThat(page.locator("#tab-now")).hasCSS("outline-style", "solid");

        page.keyboard().press("ArrowRight");
        assertThat(page.locator("#tab-who")).isFocused();
        assertThat(page.locator("#tab-who")).hasAttribute("aria-selected", "true");
        assertThat(page.locator("#who")).isVisible();
        assertThat(page.locator("#now")).isHidden();
        page.keyboard().press("End");
        assertThat(page.locator("#why")).isVisible();
        page.keyboard().press("ArrowRight");
        assertThat(page.locator("#now")).isVisible();
        page.keyboard().press("ArrowLeft");
        page.keyboard().press("Home");
        page.keyboard().press("ArrowRight");
        assertThat(page.locator("#most-denied button").first()).isVisible();

        page.keyboard().press("Tab"); // the policy filter
        page.keyboard().press("Tab");
        assertThat(page.locator("#most-denied button").first()).isFocused();
        page.keyboard().press("Enter");
        assertThat(page.locator("#key .gauge").first()).isVisible();
        assertThat(page.locator("#key")).isFocused();
        page.keyboard().press("Tab"); // the Close link
        page.keyboard().press("Tab");
        page.keyboard().press("Enter");
        assertThat(page.locator("#change")).isVisible();
        Chromium.picture(page, "keyboard");
        page.keyboard().press("Escape");
        assertThat(page.locator("#change")).isHidden();
        assertThat(page.locator("#key").getByText("Reset…")).isFocused();
    }

    /** No section is wider than the screen, whatever it contains. */
    @ParameterizedTest
    @ValueSource(strings = {"now", "who", "policies", "why"})
    void phone_showsEverything_withoutHorizontalScrolling(String part) {
        Page page = chromium.open(
                service.console(part),
                new Browser.NewContextOptions().setViewportSize(360, 740).setHasTouch(true));
        switch (part) {
            case "now" ->
                assertThat(page.locator("#by-policy-rows .title").first()).isVisible();
            case "who" -> {
                page.locator("#most-denied button")
                        .filter(Chromium.text("uuuu"))
                        .click();
                assertThat(page.locator("#key .gauge").first()).isVisible();
            }
            case "policies" -> {
                page.locator("#playground-form button.main").click();
                assertThat(page.locator("#playground-answer .verdict")).isVisible();
                assertThat(page.locator(".check-state")).containsText("Valid");
            }
            default -> {
                page.locator("#why-form button.main").click();
                assertThat(page.locator("#why-answer .verdict")).isVisible();
            }
        }
        Chromium.picture(page, part + "-phone");
        assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(360);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        Chromium.picture(page, part + "-phone-dark");
    }

    @Test
    void colors_followTheSystem() {
        Page page = chromium.open(service.console("now"));
        assertThat(page.locator("#tile-total .more")).hasText("18 in 1 min");
        assertThat(page.locator("body")).hasCSS("background-color", "rgb(251, 252, 253)");
        Object light = page.evaluate("Chart.getChart('decisions-chart').data.datasets[0].borderColor");

        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        assertThat(page.locator("body")).hasCSS("background-color", "rgb(16, 22, 28)");
        page.waitForFunction(
                "light => Chart.getChart('decisions-chart').data.datasets[0].borderColor !== light", light);
    }
}
