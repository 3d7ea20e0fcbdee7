package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.SelectOption;
import dev.penstock.server.ServerSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The section Policies: the files in use, the playground, and the editor. */
class ConsolePoliciesIT {
    private static final Map<String, String> ALICE = Map.of("route", "/api/x", "user", "alice");

    @RegisterExtension
    final Chromium chromium = new Chromium();

    @TempDir
    Path directory;

    private ConsoleService service;
    private Page page;

    @BeforeEach
    void start() throws Exception {
        service = ConsoleService.start(directory);
        page = chromium.open(service.console("policies"));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void fileInForce_isShown_withTheTrafficOfEachPolicy() throws Exception {
        service.decide(9, ALICE);

        assertThat(page.locator("#source h3")).hasText(Pattern.compile("policies.yaml$"));
        assertThat(page.locator("#source-version")).hasText(Pattern.compile("^version 1, [0-9a-f]{16}$"));
        Locator lines = page.locator("#source li");
        assertThat(lines).hasCount((int) ConsoleService.POLICIES.lines().count());
        assertThat(lines.nth(4)).hasText("  - name: api");
        assertThat(page.locator(".traffic-row")).hasCount(3);
        assertThat(page.locator(".traffic-row").filter(Chromium.text("api"))).containsText("5 allowed, 4 denied");
        assertThat(page.locator(".traffic-row").filter(Chromium.text("login"))).containsText("none");
        assertThat(page.locator(".traffic-row").filter(Chromium.text("stricter")))
                .containsText(Pattern.compile("[1-9] shadow"));

        page.locator(".traffic-row").getByText("login").click();
        assertThat(page.locator("#source li.pointed")).containsText("name: login");
        Chromium.picture(page, "policies");

        service.write(ConsoleService.POLICIES.replace("name: login", "name: sign-in"));
        service.server().reload();
        assertThat(page.locator("#source-version")).hasText(Pattern.compile("^version 2,"));
        assertThat(page.locator(".traffic-row").filter(Chromium.text("sign-in")))
                .isVisible();
    }

    @Test
    void candidate_isComparedWithItsLivePolicy() throws Exception {
        service.write(ConsoleService.POLICIES
                + "  - { name: next, candidate_of: api, limits: [ { key: [user], token_bucket: 2/h } ] }\n");
        service.server().reload();
        service.decide(9, ALICE);

        assertThat(page.locator(".traffic-row").filter(Chromium.text("candidate of api")))
                .containsText("9 compared since the start: 3 stricter (33.3 %), 0 looser (0 %)");
        Chromium.picture(page, "policies-candidate");
    }

    @Test
    void requestsWithoutAnAttribute_areCountedBesideTheirPolicy() throws Exception {
        service.decide(3, ALICE);
        service.decide(5, Map.of("route", "/api/x"));

        Locator row = page.locator(".traffic-row").filter(Chromium.text("api")).first();
        assertThat(row.locator(".lack"))
                .hasText("5 of 8 requests since the start had no user, so they share one account.");
        assertThat(page.locator(".traffic-row").filter(Chromium.text("login")).locator(".lack"))
                .hasCount(0);
        Chromium.picture(page, "policies-missing-attribute");
    }

    private void ask(String... namesAndValues) {
        Locator form = page.locator("#playground-form");
        for (int i = 0; i < namesAndValues.length / 2; i++) {
            form.getByLabel("Name of the attribute").nth(i).fill(namesAndValues[2 * i]);
            form.getByLabel("Value of the attribute").nth(i).fill(namesAndValues[2 * i + 1]);
        }
        form.getByText("Try it").click();
    }

    @Test
    void playground_showsMatchesAndTheResult() throws Exception {
        Locator answer = page.locator("#playground-answer");
        ask("route", "/api/x", "user", "alice");
        assertThat(answer.locator(".verdict")).containsText("Allowed");
        assertThat(answer.locator(".matched")).hasCount(2);
        assertThat(answer.locator(".matched").first()).containsText("5 of 5 left − 1 = 4 requests");
        assertThat(answer.locator(".not-matched")).containsText("login route is /api/x (wanted: /login)");

        service.decide(5, ALICE);
        ask("route", "/api/x", "user", "alice");
        assertThat(answer.locator(".verdict")).containsText("Denied");
        assertThat(answer.locator(".verdict")).containsText("0 of 5 requests are left, and the request costs 1");
        Chromium.picture(page, "policies-playground");

        ask("route", "/api/x", "ip", "203.0.113.9");
        assertThat(answer.locator(".verdict")).containsText("by scanners, regardless of the limits");
        ask("route", "/elsewhere", "user", "alice");
        assertThat(answer).containsText("No policy matches");
        assertThat(answer.locator(".verdict")).containsText("by default, because nothing matches");
        page.locator("#playground-form").getByLabel("Cost in requests").fill("1000");
        ask("route", "/api/x", "user", "bob");
        assertThat(answer.locator(".verdict")).containsText("5 of 5 requests are left, and the request costs 1,000");
        answer.getByText("Step by step").click();
        assertThat(page.locator("#why-answer")).containsText("at a cost of 1000 requests");
    }

    @Test
    void serviceInShadow_deniesNothing_andTheResultSaysSo() throws Exception {
        service.decide(5, ALICE);
        service.admin("/admin/shadow", Map.of("for_ms", 600_000));
        Locator verdict = page.locator("#playground-answer .verdict");
        ask("route", "/api/x", "user", "alice");
        assertThat(verdict)
                .containsText(
                        Pattern.compile(
                                "Would be denied.*the request costs 1\\. Allowed now, because the whole service is in shadow mode"));
        ask("route", "/api/x", "ip", "203.0.113.9");
        assertThat(verdict).containsText(Pattern.compile("Would be denied.*by scanners.*Allowed now"));
        page.locator("#playground-answer").getByText("Step by step").click();
        assertThat(page.locator("#why-answer .verdict")).containsText("Would be denied");
        Chromium.picture(page, "why-shadow");

        service.admin("/admin/shadow", Map.of("for_ms", 0));
        page.locator("#tab-policies").click();
        ask("route", "/api/x", "user", "alice");
        assertThat(verdict.locator("b")).hasText("Denied");
    }

    @Test
    void changedFile_showsErrorsAtTheirLines_whileTyping() {
        Locator text = page.locator("#draft-text");
        assertThat(text).hasValue(ConsoleService.POLICIES);
        assertThat(page.locator(".check-state")).containsText("Valid: 3 policies, 4 limits");

        text.fill(ConsoleService.POLICIES.replace("5/h", "0/h").replace("mode: shadow", "mood: shadow"));
        assertThat(page.locator(".check-state")).containsText("2 errors");
        assertThat(page.locator(".behind [data-line='8'] .note")).hasText("0/h (expected: a rate above 0)");
        assertThat(page.locator(".behind [data-line='15'] .note")).containsText("unknown field");
        assertThat(page.locator(".gutter .wrong")).hasText(new String[] {"8", "15"});
        assertThat(page.locator("#draft-errors li").first()).containsText("policies.yaml:8:");
        Chromium.picture(page, "policies-errors");
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        Chromium.picture(page, "policies-errors-dark");

        page.locator("#draft-errors button").nth(1).click();
        assertThat(text).isFocused();
        String before = (String) text.evaluate("text => text.value.slice(0, text.selectionStart)");
        assertThat(before).endsWith("    ");
        assertThat(before.lines().count()).isEqualTo(15);

        page.getByText("Copy the file in use").click();
        assertThat(page.locator(".check-state")).containsText("Valid");
        assertThat(page.locator("#draft-errors li")).hasCount(0);
        assertThat(service.server().policies().version().number()).isEqualTo(1);
    }

    /** The text replaces its own file and is checked together with the others. */
    @Test
    void severalFiles_areAllShown_andEachCanBeEdited() throws Exception {
        Path saas = Path.of("../examples/saas");
        try (ConsoleService many = ConsoleService.start(
                directory,
                ConsoleService.POLICIES,
                settings -> ServerSettings.of(saas)
                        .withAt(settings.at())
                        .withAdmin(settings.admin())
                        .withDrain(settings.drain()))) {
            Page other = chromium.open(many.console("policies"));
            assertThat(other.locator("#source h3")).hasCount(2);
            assertThat(other.locator(".check-state")).containsText("Valid: 4 policies, 6 limits");

            other.locator("#draft-file").selectOption(new SelectOption().setIndex(1));
            assertThat(other.locator("#draft-text")).hasValue(Pattern.compile("tenants:"));
            assertThat(other.locator(".check-state")).containsText("Valid: 4 policies, 6 limits");
        }
    }
}
