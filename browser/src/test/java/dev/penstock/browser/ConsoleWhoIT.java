package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The section Who: the top keys, and a key that is opened. */
class ConsoleWhoIT {
    private static final Map<String, Object> KEY = Map.of("policy", "api", "key", List.of("alice"));

    @RegisterExtension
    final Chromium chromium = new Chromium();

    @TempDir
    Path directory;

    private ConsoleService service;

    @BeforeEach
    void start() throws Exception {
        service = ConsoleService.start(directory);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private static Map<String, String> of(String user) {
        return Map.of("route", "/api/x", "user", user);
    }

    private Locator opened(Page page) {
        page.locator("#most-denied button").filter(Chromium.text("user=alice")).click();
        assertThat(page.locator("#key .key-name")).hasText("user=alice");
        return page.locator("#key");
    }

    @Test
    void noRequestsYet_isShown() {
        Page page = chromium.open(service.console("who"));

        assertThat(page.locator("#most-denied")).containsText("No denials");
        assertThat(page.locator("#most-asked")).containsText("No requests");
        assertThat(page.locator("#key")).containsText("No key selected");
        assertThat(page.locator("#blocked")).isHidden();
        Chromium.picture(page, "who-empty");
    }

    @Test
    void topKeys_areRankedByRequestsAndDenials() throws Exception {
        service.decide(9, of("alice"));
        service.decide(7, of("bob"));
        service.decide(5, Map.of("route", "/login", "ip", "192.0.2.1"));
        Page page = chromium.open(service.console("who"));

        Locator denied = page.locator("#most-denied button");
        assertThat(denied).hasCount(3);
        assertThat(denied.nth(0)).containsText("user=alice");
        assertThat(denied.nth(0).locator(".count b")).hasText("4");
        assertThat(denied.nth(0).locator(".of")).hasText("api");
        assertThat(page.locator("#most-asked button").nth(0).locator(".count b"))
                .hasText("9");
        assertThat(page.locator("#top-keys-about")).containsText("this node only");

        page.getByLabel("Filter by policy").selectOption("login");
        assertThat(denied).hasCount(1);
        assertThat(denied).containsText("ip=192.0.2.1");
    }

    @Test
    void openKey_showsItsLimitsTimesAndDecisions() throws Exception {
        service.decide(9, of("alice"));
        Page page = chromium.open(service.console("who"));
        Locator key = opened(page);

        assertThat(key.locator(".gauge")).hasCount(2);
        Locator bucket = key.locator(".gauge").filter(Chromium.text("token_bucket: 5 per 1h"));
        assertThat(bucket.locator(".left")).hasText("0 of 5 requests left");
        assertThat(bucket.locator("[role=meter]")).hasAttribute("aria-valuenow", "0");
        assertThat(bucket.locator(".under")).containsText(Pattern.compile("all free in (59 min \\d+ s|1 h 0 min)"));
        String before = bucket.locator(".under").textContent();
        assertThat(bucket.locator(".under")).not().hasText(before); // counts down
        assertThat(key.locator(".gauge").filter(Chromium.text("sliding_window")).locator(".left"))
                .hasText("995 of 1,000 requests left");

        assertThat(key.locator(".decisions")).containsText("Waiting for decisions");
        service.decide(1, of("bob"));
        service.decide(1, of("alice"));
        assertThat(key.locator(".decision-list li")).hasCount(1);
        assertThat(key.locator(".decision-list li")).containsText("denied");
        assertThat(key.locator(".decision-list li")).containsText("token_bucket-1h · 0 left");
        assertThat(page).hasURL(Pattern.compile("#who\\?policy=api&"));
        Chromium.picture(page, "who-key");
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        Chromium.picture(page, "who-key-dark");

        page.reload(); // the address restores the page
        assertThat(page.locator("#key .key-name")).hasText("user=alice");
        page.locator("#key").getByText("Close").click();
        assertThat(page.locator("#key")).containsText("No key selected");
    }

    @Test
    void reset_restoresTheLimits_afterConfirmation() throws Exception {
        service.decide(9, of("alice"));
        Page page = chromium.open(service.console("who"));
        Locator key = opened(page);
        Locator left = key.locator(".gauge").first().locator(".left");
        assertThat(left).hasText("0 of 5 requests left");

        key.getByText("Reset…").click();
        page.locator("#change").getByText("Cancel").click();
        assertThat(page.locator("#change")).isHidden();
        assertThat(left).hasText("0 of 5 requests left");
        key.getByText("Reset…").click();
        assertThat(page.locator("#change")).containsText("user=alice in the policy api");
        page.locator("#change button.main").click();

        assertThat(left).hasText("5 of 5 requests left");
        assertThat(key.locator(".gauge").first().locator(".under")).containsText("all free");
        assertThat(page.locator("#told")).hasText("The key was reset.");
    }

    @Test
    void block_lastsForItsTime_andCanBeLifted() throws Exception {
        service.decide(9, of("alice"));
        Page page = chromium.open(service.console("who"));
        Locator key = opened(page);
        assertThat(key.getByText("Unblock")).isHidden();

        key.getByText("Block…").click();
        page.locator("#change select").selectOption("1 day");
        Chromium.picture(page, "who-block");
        page.locator("#change button.main").click();
        assertThat(key.locator(".blocked-note"))
                .containsText(Pattern.compile("by the operator loopback until .* (23 h 59 min|24 h 0 min) left"));
        assertThat(page.locator("#blocked")).containsText("user=alice");
        JsonNode state = service.admin("/admin/keys/show", KEY);
        assertThat(state.at("/limits/0/blocked_by").asText()).isEqualTo("loopback");
        Chromium.picture(page, "who-blocked");

        key.getByText("Unblock").click();
        page.locator("#change button.main").click();
        assertThat(key.locator(".blocked-note")).isHidden();
        assertThat(page.locator("#blocked")).isHidden();
        assertThat(service.admin("/admin/keys/show", KEY)
                        .at("/limits/0/blocked")
                        .asBoolean())
                .isFalse();
    }
}
