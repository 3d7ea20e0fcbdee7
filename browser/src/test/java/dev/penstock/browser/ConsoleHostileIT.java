package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.Route;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Markup in keys, attributes, files and names is shown as text only. */
class ConsoleHostileIT {
    private static final String IMAGE = "<img src=x onerror=window.hit=1>";
    private static final String SCRIPT = "</span><script>window.hit=1</script>";
    private static final String LINK = "javascript:window.hit=1//\"' onmouseover=window.hit=1 ";

    @RegisterExtension
    final Chromium chromium = new Chromium();

    @TempDir
    Path directory;

    private ConsoleService service;

    @BeforeEach
    void start() throws Exception {
        service = ConsoleService.start(
                directory, "# " + SCRIPT + "\n# " + IMAGE + "\n" + ConsoleService.POLICIES, settings -> settings);
        for (String user : new String[] {IMAGE, SCRIPT, LINK}) {
            service.decide(7, Map.of("route", "/api/" + IMAGE, "user", user));
        }
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private static void assertUnharmed(Page page) {
        assertThat(page.evaluate("window.hit")).isNull();
        assertThat(page.locator("main img, main script, main iframe, dialog img, dialog script"))
                .hasCount(0);
        assertThat((Boolean) page.evaluate("[...document.querySelectorAll('*')].every(element =>"
                        + " [...element.attributes].every(({name, value}) =>"
                        + " !name.startsWith('on') && !/^javascript:/i.test(value) || name === 'value'))"))
                .isTrue();
    }

    @Test
    void keys_areText_alsoWhenOpenedBlockedAndExplained() throws Exception {
        Page page = chromium.open(service.console("who"));
        for (String user : new String[] {IMAGE, SCRIPT, LINK}) {
            page.locator("#most-denied button")
                    .filter(Chromium.text(user.strip()))
                    .click();
            assertThat(page.locator("#key .key-name")).hasText("user=" + user);
            assertThat(page.locator("#key .gauge .left").first()).hasText("0 of 5 requests left");
            assertThat(page.locator("#key .decisions")).containsText("Waiting for decisions");
            service.decide(1, Map.of("route", "/api/" + IMAGE, "user", user));
            assertThat(page.locator("#key .decision-list button").first()).isVisible();
            page.locator("#key").getByText("Block…").click();
            assertThat(page.locator("#change")).containsText(user.strip());
            page.locator("#change button.main").click();
            assertThat(page.locator("#key .blocked-note")).isVisible();
            assertUnharmed(page);
        }
        assertThat(page.locator("#blocked li")).hasCount(3);
        Chromium.picture(page, "hostile-keys");

        page.locator("#key .decision-list button").first().click();
        assertThat(page.locator("#why-answer .verdict")).isVisible();
        assertThat(page.locator("#why-answer")).containsText(LINK.strip());
        Chromium.picture(page, "hostile-why");
        assertUnharmed(page);
    }

    @Test
    void attributesAndFiles_areText() {
        Page page = chromium.open(service.console("policies"));
        assertThat(page.locator("#source li").nth(0)).hasText("# " + SCRIPT);
        assertThat(page.locator("#source li").nth(1)).hasText("# " + IMAGE);
        page.locator("#playground-form")
                .getByLabel("Value of the attribute")
                .nth(0)
                .fill("/api/" + IMAGE);
        page.locator("#playground-form")
                .getByLabel("Value of the attribute")
                .nth(1)
                .fill(SCRIPT);
        page.locator("#playground-form button.main").click();
        assertThat(page.locator("#playground-answer")).containsText("user=" + SCRIPT);

        page.locator("#draft-text").fill("version: 1\npolicies:\n  - name: '" + IMAGE + "'\n    " + SCRIPT + ": 1\n");
        assertThat(page.locator("#draft-errors li").filter(Chromium.text("name: ")))
                .containsText(IMAGE);
        assertThat(page.locator(".behind .note").first()).containsText(IMAGE);
        Chromium.picture(page, "hostile-policies");
        assertUnharmed(page);
    }

    /** The policy language forbids such names, but the page must not rely on that. */
    @Test
    void namesOfPoliciesAndNodes_areText() {
        Page page = chromium.open(service.address() + "/console/icon.svg");
        page.route("**/admin/**", route -> replaced(route));
        page.navigate(service.console("now"));
        assertThat(page.locator("#by-policy-rows .title").first()).hasText(IMAGE);
        assertThat(page.locator("#node")).hasText(SCRIPT);
        Chromium.picture(page, "hostile-names");
        page.locator("#tab-who").click();
        assertThat(page.locator("#most-denied .of").first()).containsText(IMAGE);
        page.locator("#tab-policies").click();
        assertThat(page.locator(".traffic-row").first()).containsText(IMAGE);
        assertUnharmed(page);
    }

    /** Answers with the service's real answer, in which names are replaced. */
    private static void replaced(Route route) {
        if (route.request().url().contains("/admin/decisions")) {
            route.resume();
            return;
        }
        APIResponse answer;
        try {
            answer = route.fetch();
        } catch (PlaywrightException failure) {
            if (failure.getMessage().contains("has been closed")) {
                return; // The page polls, so a request can be under way when the test closes it.
            }
            throw failure;
        }
        String text = answer.text()
                .replace("\"api\"", "\"" + IMAGE + "\"")
                .replaceAll("\"node\":\"[^\"]*\"", "\"node\":\"" + SCRIPT.replace("/", "\\\\/") + "\"");
        route.fulfill(new Route.FulfillOptions().setResponse(answer).setBody(text));
    }
}
