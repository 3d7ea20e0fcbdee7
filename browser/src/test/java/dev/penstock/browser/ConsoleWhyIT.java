package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The section Why: one decision explained. */
class ConsoleWhyIT {
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
        page = chromium.open(service.console("why"));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void request_isExplained_stepByStep() throws Exception {
        service.decide(3, ALICE);
        page.locator("#why-form").getByLabel("Value of the attribute").nth(0).fill("/api/x");
        page.locator("#why-form").getByText("Explain").click();

        Locator steps = page.locator("#why-answer .steps > li");
        assertThat(steps).hasCount(4);
        assertThat(steps.nth(0)).containsText("route=/api/x");
        assertThat(steps.nth(1)).containsText("No list matches");
        assertThat(steps.nth(2)).containsText("2 of 5 left − 1 = 1 requests");
        assertThat(steps.nth(2)).containsText("counts user=alice");
        assertThat(steps.nth(2)).containsText("login route is /api/x (wanted: /login)");
        assertThat(steps.nth(3)).containsText("Allowed");
        assertThat(steps.nth(3)).containsText("In shadow, stricter would have denied it.");
        Chromium.picture(page, "why");

        page.reload(); // the address restores the page
        assertThat(steps.nth(2)).containsText("2 of 5 left − 1 = 1 requests");
    }

    @Test
    void liveDecision_isExplained_onClick() throws Exception {
        assertThat(page.locator("#recent")).containsText("Waiting for decisions");
        service.decide(6, ALICE);
        service.decide(1, Map.of("route", "/api/x", "ip", "203.0.113.7"));

        Locator recent = page.locator("#recent button");
        assertThat(recent).hasCount(7);
        assertThat(recent.nth(0)).containsText("scanners");
        page.getByLabel("Filter by outcome").selectOption("denied");
        page.waitForCondition(
                () -> { // the filter applies to new decisions
                    decideOnce();
                    return recent.count() > 0;
                });
        recent.first().click();

        Locator answer = page.locator("#why-answer");
        assertThat(answer.locator(".verdict")).containsText(Pattern.compile("denied\\s*limit exceeded"));
        assertThat(answer).containsText("api token_bucket-1h");
        assertThat(answer).containsText("The request cost 1 (requests); 0 were left.");
        assertThat(answer).containsText("the store, with version 1 of the policies");
        assertThat(answer).containsText("token_bucket-1h (token_bucket: 5 per 1h, burst: 5): 0 of 5 left, all free in");
        assertThat(page.locator("#why-form")
                        .getByLabel("Value of the attribute")
                        .last())
                .hasValue("alice");
        Chromium.picture(page, "why-decision");

        answer.getByText("user=alice").click();
        assertThat(page.locator("#key .key-name")).hasText("user=alice");
    }

    private void decideOnce() {
        try {
            service.decide(1, ALICE);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void refusedRequest_showsTheMessageOfTheService() {
        page.locator("#why-form").getByLabel("Cost in requests").fill("100000000000000000000");
        page.locator("#why-form").getByText("Explain").click();

        assertThat(page.locator("#why-answer .failed-text")).containsText("costs.requests: ");
    }
}
