package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.penstock.server.AdminToken;
import dev.penstock.server.AdminToken.Role;
import dev.penstock.server.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Access to the console when the service requires tokens. */
class ConsoleAccessIT {
    private static final AdminToken ANN = new AdminToken("ann", Role.WRITE, new Secret("a-token-that-may-change"));
    private static final AdminToken BOB = new AdminToken("bob", Role.READ, new Secret("a-token-that-may-look"));

    @RegisterExtension
    final Chromium chromium = new Chromium();

    @TempDir
    Path directory;

    private ConsoleService service;
    private Page page;

    @BeforeEach
    void start() throws Exception {
        service = ConsoleService.start(
                directory,
                ConsoleService.POLICIES,
                settings -> settings.withAdmin(settings.admin().withTokens(List.of(ANN, BOB))));
        service.decide(9, Map.of("route", "/api/x", "user", "alice"));
        page = chromium.open(service.console("now"));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private void enter(String token) {
        page.locator("#token").fill(token);
        page.locator("#lock button.main").click();
    }

    @Test
    void token_isRequired_andStoredInThisTabOnly() {
        assertThat(page.locator("#lock")).isVisible();
        assertThat(page.locator("#now")).isHidden();
        assertThat(page.locator("#token")).isFocused();
        assertThat(page.locator("#connection")).hasText("locked");
        Chromium.picture(page, "token");

        enter("a-token-that-nobody-has");
        assertThat(page.locator("#lock-why")).hasText("The service does not accept this token.");
        assertThat(page.locator("#token")).hasValue("");
        Chromium.picture(page, "token-wrong");

        enter(ANN.secret().text());
        assertThat(page.locator("#tile-total .more")).hasText("9 in 1 min");
        assertThat(page.locator("#lock")).isHidden();
        page.reload();
        assertThat(page.locator("#tile-total .more")).hasText("9 in 1 min");
        assertThat(page.evaluate("localStorage.length + document.cookie.length"))
                .isEqualTo(0);

        page.getByText("Forget token").click();
        assertThat(page.locator("#lock")).isVisible();
        assertThat(page.locator("#now")).isHidden();
    }

    @Test
    void malformedToken_isRefusedByTheForm() {
        assertThat(page.locator("#lock")).isVisible();
        enter("a-token-that-is-№-5");
        assertThat(page.locator("#lock-why"))
                .hasText("This is not a valid token: tokens have only visible ASCII characters, without spaces.");
        assertThat(page.locator("#connection")).hasText("locked");
        assertThat(page.locator("#gone")).isHidden();

        enter(ANN.secret().text());
        assertThat(page.locator("#tile-total .more")).hasText("9 in 1 min");
    }

    @Test
    void openKey_isPolledAgain_afterANewToken() {
        enter(ANN.secret().text());
        page.locator("#tab-who").click();
        page.locator("#most-denied button").first().click();
        Locator window = page.locator("#key .gauge").filter(Chromium.text("sliding_window"));
        assertThat(window.locator(".left")).hasText("995 of 1,000 requests left");

        page.getByText("Forget token").click();
        assertThat(page.locator("#lock")).isVisible();
        Locator time = page.locator("#key .gauge .under").first();
        for (int i = 0; i < 3; i++) { // it counts down each second without polling
            assertThat(time).not().hasText(time.textContent());
        }
        enter(ANN.secret().text());
        assertThat(page.locator("#who")).isVisible();
        page.waitForResponse(response -> response.url().endsWith("/admin/keys/show"), () -> page.evaluate("undefined"));
    }

    @Test
    void readToken_cannotChangeAnything_andThePageSaysSo() {
        enter(BOB.secret().text());
        page.locator("#tab-who").click();
        page.locator("#most-denied button").first().click();
        page.locator("#key").getByText("Block…").click();
        page.locator("#change button.main").click();

        assertThat(page.locator("#change [role=alert]"))
                .hasText("The token bob is read-only (expected: a token with full access).");
        Chromium.picture(page, "who-read-only");
        page.locator("#change").getByText("Cancel").click();
        assertThat(page.locator("#key .blocked-note")).isHidden();

        page.locator("#tab-now").click();
        page.getByText("Reload the files").click();
        assertThat(page.locator("#told")).containsText("The token bob is read-only");
    }
}
