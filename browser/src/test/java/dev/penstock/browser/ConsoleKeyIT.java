package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.penstock.policy.envoy.EnvoyRules;
import dev.penstock.server.EnvoySettings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Keys that several limits count, and questions about one key while the page shows another. */
class ConsoleKeyIT {
    private static final String POLICIES = """
            version: 1
            policies:
              - name: api
                match: { route: /api/** }
                limits:
                  - { id: slow, key: user, token_bucket: 5/h }
                  - { id: fast, key: user, sliding_log: 7/d }
              - name: files
                match: { route: /files/** }
                limits:
                  - { id: each, key: [user, ip], token_bucket: 2/h }
                  - { id: all, key: user, token_bucket: 100/h }
            """;

    @RegisterExtension
    final Chromium chromium = new Chromium();

    @TempDir
    Path directory;

    private ConsoleService service;

    @BeforeEach
    void start() throws Exception {
        service = ConsoleService.start(directory, POLICIES, settings -> settings);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private void decide(int times, String user) throws Exception {
        service.decide(times, Map.of("route", "/api/x", "user", user));
    }

    private static String query(String name, String text) {
        return name + "=" + URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String keyOf(String policy, String parts, String key) {
        return String.join("&", "who?" + query("policy", policy), query("parts", parts), query("key", key));
    }

    private static void choose(Page page, String user) {
        page.locator("#most-asked button").filter(Chromium.text(user)).click();
        assertThat(page.locator("#key .key-name")).hasText(user);
    }

    private boolean isBlocked(String user) throws Exception {
        return service.admin("/admin/keys/show", Map.of("policy", "api", "key", List.of(user)))
                .at("/limits/0/blocked")
                .asBoolean();
    }

    @Test
    void keyThatTwoLimitsDeny_isOneLine_withTheCountOfEach() throws Exception {
        decide(9, "alice"); // slow denies 4 of them
        service.admin("/admin/keys/reset", Map.of("policy", "api", "limit", "slow", "key", List.of("alice")));
        decide(5, "alice"); // fast denies 3 of them
        Page page = chromium.open(service.console("who"));

        Locator denied = page.locator("#most-denied button");
        assertThat(denied).hasCount(1);
        assertThat(denied.locator(".count b")).hasText("4");
        assertThat(denied.locator(".of")).hasText("api · slow-1h/user 4, fast-1d/user 3");
        Locator asked = page.locator("#most-asked button");
        assertThat(asked).hasCount(1);
        assertThat(asked.locator(".count b")).hasText("14");
        assertThat(asked.locator(".of")).hasText("api");
    }

    @Test
    void question_isClosed_whenAnotherKeyIsShown() throws Exception {
        decide(1, "alice");
        decide(1, "bob");
        Page page = chromium.open(service.console("who"));
        choose(page, "user=alice");
        choose(page, "user=bob");
        page.locator("#key").getByText("Block…").click();
        assertThat(page.locator("#change")).containsText("user=bob");

        page.goBack();
        assertThat(page.locator("#key .key-name")).hasText("user=alice");
        assertThat(page.locator("#change")).isHidden();
    }

    @Test
    void changeInProgress_appliesToItsOwnKey_andKeepsALaterQuestionOpen() throws Exception {
        decide(1, "alice");
        decide(1, "bob");
        Page page = chromium.open(service.console("who"));
        AtomicReference<Route> held = new AtomicReference<>();
        page.route("**/admin/keys/block", held::set);
        choose(page, "user=alice");
        choose(page, "user=bob");
        page.locator("#key").getByText("Block…").click();
        page.locator("#change button.main").click();
        page.waitForCondition(() -> held.get() != null);

        page.goBack();
        assertThat(page.locator("#change")).isHidden();
        page.locator("#key").getByText("Reset…").click();
        held.get().resume();
        assertThat(page.locator("#told")).hasText("The key is blocked.");
        assertThat(page.locator("#change")).isVisible();
        assertThat(page.locator("#change")).containsText("user=alice");
        assertThat(isBlocked("bob")).isTrue();
        assertThat(isBlocked("alice")).isFalse();
    }

    @Test
    void keyThatIsNotLoadedYet_cannotBeChanged() {
        Page page = chromium.open(service.console("who"));
        page.route("**/admin/keys/show", Route::abort);
        page.navigate(service.console(keyOf("api", "[\"user\"]", "[\"alice\"]")));
        Locator buttons = page.locator("#key .row button:visible");
        assertThat(buttons).hasCount(2);
        assertThat(buttons.nth(0)).isDisabled();
        assertThat(buttons.nth(1)).isDisabled();

        page.unroute("**/admin/keys/show");
        assertThat(buttons.nth(0)).isEnabled();
        assertThat(buttons.nth(1)).isEnabled();
    }

    @Test
    void keyWithoutLimits_isReported_andCannotBeChanged() {
        Page page = chromium.open(service.console(keyOf("api", "[\"account\"]", "[\"alice\"]")));

        assertThat(page.locator("#gauges")).hasText("No limit of the policy uses this key.");
        assertThat(page.locator("#key").getByText("Block…")).isDisabled();
    }

    @Test
    void decisionsOfAKey_areAllThatNameIt_whicheverLimitMatteredMost() throws Exception {
        Page page = chromium.open(service.console(keyOf("files", "[\"user\"]", "[\"alice\"]")));
        Locator decisions = page.locator("#key .decision-list li");
        assertThat(page.locator("#key .decisions")).containsText("Waiting for decisions");

        service.decide(1, Map.of("route", "/files/x", "user", "bob", "ip", "192.0.2.1"));
        service.decide(3, Map.of("route", "/files/x", "user", "alice", "ip", "192.0.2.1"));
        assertThat(decisions).hasCount(3);
        assertThat(decisions.first()).containsText("denied");
        assertThat(decisions.first()).containsText("each");
    }

    @Test
    void keyOfARuleForEnvoy_isShown_andCanBeBlocked() throws Exception {
        Path rules = Files.writeString(
                directory.resolve("rules.yaml"),
                "domain: edge\ndescriptors: [ { key: user, rate_limit: { unit: year, requests_per_unit: 2 } } ]\n");
        try (ConsoleService edge = ConsoleService.start(
                directory,
                POLICIES,
                settings -> settings.withEnvoy(new EnvoySettings(
                        List.of(rules), EnvoyRules.SameDomain.REFUSED, false, EnvoySettings.Headers.OFF, false)))) {
            Page page = chromium.open(edge.console(keyOf("edge/user", "[\"user\"]", "[\"ann\"]")));

            assertThat(page.locator("#key .gauge")).containsText("2 of 2 requests left");
            page.locator("#key").getByText("Block…").click();
            page.locator("#change button.main").click();
            assertThat(page.locator("#key .blocked-note")).containsText("Blocked by the operator");
            Chromium.picture(page, "key-of-a-rule");
        }
    }

    @Test
    void absentAttribute_isNotAString_andItsKeyCanBeOpened() {
        String decision = """
                {"at":"2026-11-16T06:00:00Z","outcome":"allowed","policy":"api","limit":"slow","route":"/api/**",
                "key_type":["user"],"key":[null],"unit":"requests","cost":1,"remaining":4,"decided_by":"store"}""";
        Page page = chromium.open(service.console("why?" + query("decision", decision)));

        assertThat(page.locator("#why-answer")).containsText("slow (token_bucket: 5 per 1h, burst: 5): 5 of 5 left");
        assertThat(page.locator("#why-form").getByLabel("Name of the attribute"))
                .hasCount(1);
        page.locator("#why-answer").getByText("user=(absent)").click();
        assertThat(page.locator("#key .key-name")).hasText("user=(absent)");
        assertThat(page.locator("#key .gauge")).hasCount(2);
        assertThat(page).hasURL(service.console(keyOf("api", "[\"user\"]", "[null]")));
    }
}
