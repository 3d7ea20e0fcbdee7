package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.penstock.server.PenstockServer;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The pages of the main port, for someone who has just started the service. */
class WebPagesIT {
    @RegisterExtension
    final Chromium chromium = new Chromium();

    @TempDir
    Path directory;

    private ConsoleService service;
    private String address;

    @BeforeEach
    void start() throws Exception {
        String examples = Files.readString(Path.of("../examples/public-api.yaml"));
        service = ConsoleService.start(directory, examples, settings -> settings);
        address = "http://127.0.0.1:" + service.server().port();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void startPage_showsRemainingPermits_untilDenied() {
        Page page = chromium.open(address + "/");
        Locator meter = page.locator("#limits [role=meter]").nth(1);
        assertThat(meter).isVisible();
        int before = Integer.parseInt(meter.getAttribute("aria-valuenow"));
        page.locator("#once").click();
        assertThat(page.locator("#verdict.allowed")).isVisible();
        assertThat(meter).hasAttribute("aria-valuenow", String.valueOf(before - 1));
        Chromium.picture(page, "start");

        for (int i = 1; i <= 12; i++) {
            page.locator("#ten").click();
            assertThat(page.locator("#dots li")).hasCount(Math.min(60, 1 + 10 * i));
            assertThat(page.locator("#ten")).isEnabled();
        }
        assertThat(page.locator("#dots li.denied").first()).isVisible();
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        Chromium.picture(page, "start-dark");
    }

    @Test
    void startPage_beforeAnyDecision_saysSo_andLinksToTheConsole() {
        Page page = chromium.open(address + "/");
        assertThat(page.locator("#attributes input").first()).hasValue("route");
        assertThat(page.locator("#origin")).containsText("made from the policies in use");
        assertThat(page.locator("#verdict")).containsText("Nothing decided yet");
        assertThat(page.locator("#none")).isVisible();
        assertThat(page.locator("#console")).hasAttribute("href", service.address() + "/console");

        page.locator("#once").click();
        assertThat(page.locator("#verdict.allowed")).isVisible();
        assertThat(page.locator("#none")).isHidden();
    }

    @Test
    void apiPage_hasEveryCall_andCanSendIt() throws Exception {
        Page page = chromium.open(address + "/docs");
        assertThat(page.locator("#check textarea")).hasValue(Pattern.compile("attributes"));
        assertThat(page.locator("section.operation")).hasCount(describedCalls());

        page.locator("#check form button.main").click();
        assertThat(page.locator("#check .answer b")).hasText(Pattern.compile("^200"));
        Chromium.picture(page, "docs");

        page.locator("#reserve form button.main").click();
        assertThat(page.locator("#release input")).hasValue(Pattern.compile("^memory-"));
        page.locator("#release form button.main").click();
        assertThat(page.locator("#release .answer pre")).containsText("settled");

        page.locator("#gate form button.main").click();
        assertThat(page.locator("#gate .answer th").first()).hasText(Pattern.compile("^ratelimit"));
    }

    /** Returns the number of operations with a section of their own. */
    private static int describedCalls() throws Exception {
        try (InputStream in = PenstockServer.class.getResourceAsStream("web/openapi.json")) {
            int calls = 0;
            for (JsonNode path : new ObjectMapper().readTree(in).get("paths")) {
                for (JsonNode operation : path) {
                    calls += operation.has("operationId") && !operation.has("x-same-as") ? 1 : 0;
                }
            }
            return calls;
        }
    }
}
