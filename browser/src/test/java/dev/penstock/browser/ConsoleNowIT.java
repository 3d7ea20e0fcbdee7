package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.penstock.server.RedisUri;
import dev.penstock.testkit.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The section Now of the console. */
class ConsoleNowIT {
    private static final Map<String, String> ALICE = Map.of("route", "/api/x", "user", "alice");

    @RegisterExtension
    final Chromium chromium = new Chromium();

    @TempDir
    Path directory;

    @Test
    void decisions_areCountedAndDrawn_inTotalAndByPolicy() throws Exception {
        try (ConsoleService service = ConsoleService.start(directory)) {
            service.decide(9, ALICE);
            service.decide(2, Map.of("route", "/login", "ip", "192.0.2.1"));
            Page page = chromium.open(service.address() + "/");

            assertThat(page).hasURL(service.address() + "/console");
            assertThat(page.locator("#tile-total .more")).hasText("11 in 1 min");
            assertThat(page.locator("#tile-allowed .more")).hasText("7, 63.6 %");
            assertThat(page.locator("#tile-denied .more")).hasText("4, 36.4 %");
            assertThat(page.locator("#tile-shadow_denied .more")).hasText(Pattern.compile("^[3-9], .* %"));
            assertThat(page.locator("#by-policy-rows .title").filter(Chromium.text("login")))
                    .isVisible();
            assertThat(page.locator("#by-policy-rows .title").filter(Chromium.text("api")))
                    .isVisible();
            assertThat(page.locator("#decisions-chart"))
                    .hasAttribute("aria-label", Pattern.compile("7 allowed, 4 denied"));
            assertThat(page.locator("#no-decisions")).isHidden();
            page.locator("#spans").getByText("10 min").click();
            assertThat(page.locator("#tile-total .more")).hasText("11 in 10 min");
            assertThat(page.locator("#connection")).hasText("live");
            assertThat(page.locator("#policies-in-use")).containsText("3 policies, 4 limits");
            assertThat(page.locator("#nodes")).containsText("this node");
            Chromium.picture(page, "now");
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
            Chromium.picture(page, "now-dark");
        }
    }

    @Test
    void figures_areUpdated_untilPaused() throws Exception {
        try (ConsoleService service = ConsoleService.start(directory)) {
            Page page = chromium.open(service.console("now"));
            assertThat(page.locator("#tile-total .more")).hasText("0 in 1 min");
            assertThat(page.locator("#no-decisions")).isVisible();
            assertThat(page.locator("#by-policy")).containsText("No policy has decided anything");
            Chromium.picture(page, "now-empty");

            service.decide(3, ALICE);
            assertThat(page.locator("#tile-total .more")).hasText("3 in 1 min");

            page.locator("#pause").click();
            AtomicInteger asked = new AtomicInteger();
            page.onRequest(request -> asked.addAndGet(request.url().contains("/admin/history") ? 1 : 0));
            service.decide(3, ALICE);
            for (int i = 0; i < 3; i++) { // status polls continue each second
                page.waitForResponse(
                        response -> response.url().endsWith("/admin/status"), () -> page.evaluate("undefined"));
            }
            assertThat(asked).hasValue(0);
            assertThat(page.locator("#tile-total .more")).hasText("3 in 1 min");
            page.locator("#tab-policies").click();
            assertThat(page.locator("#traffic-until"))
                    .hasText(Pattern.compile("5 minutes until \\d\\d:\\d\\d:\\d\\d \\(paused in Now\\)\\.$"));
            page.locator("#tab-now").click();
            page.locator("#pause").click();
            assertThat(page.locator("#tile-total .more")).hasText("6 in 1 min");
            page.locator("#tab-policies").click();
            assertThat(page.locator("#traffic-until")).hasText("This node only, last 5 minutes.");
        }
    }

    /** The service returns no seconds, and a next one that is before the known ones. */
    @Test
    void clockSetBack_clearsTheSeconds() throws Exception {
        try (ConsoleService service = ConsoleService.start(directory)) {
            Page page = chromium.open(service.console("now"));
            assertThat(page.locator("#tile-total .more")).hasText("0 in 1 min");
            assertThat(page.evaluate("""
                    async () => {
                      const {Seconds} = await import('/console/live.js');
                      const seconds = new Seconds();
                      const answer = (from, ...allowed) => ({from, count: allowed.length, fallback: allowed.map(() => 0), store: null, policies: {},
                        total: {allowed, denied: allowed.map(() => 0), shadow_denied: allowed.map(() => 0)}});
                      seconds.add(answer(1000, 1, 2, 3));
                      seconds.add(answer(1003));
                      const before = [seconds.last, ...seconds.total.allowed].join();
                      seconds.add(answer(990));
                      const between = String(seconds.last);
                      seconds.add(answer(988, 4, 5));
                      return [before, between, [seconds.last, ...seconds.total.allowed].join()].join(' ');
                    }""")).isEqualTo("1002,1,2,3 undefined 989,4,5");
        }
    }

    @Test
    void hiddenTab_sendsNoRequests() throws Exception {
        try (ConsoleService service = ConsoleService.start(directory)) {
            Page page = chromium.open(service.console("now"));
            assertThat(page.locator("#tile-total .more")).hasText("0 in 1 min");
            AtomicInteger asked = new AtomicInteger();
            see(page, false);
            page.clock().install();
            page.onRequest(request -> asked.incrementAndGet());
            page.clock().runFor(60_000);
            assertThat(asked.get()).isLessThanOrEqualTo(5); // requests that were due

            page.waitForRequest(request -> request.url().contains("/admin/history"), () -> see(page, true));
        }
    }

    private static void see(Page page, boolean isSeen) {
        page.evaluate(
                "hidden => { Object.defineProperty(document, 'hidden', {get: () => hidden, configurable: true});"
                        + " document.dispatchEvent(new Event('visibilitychange')); }",
                !isSeen);
    }

    @Test
    void storeFailure_isShown_withItsFallbackAndItsReturn() throws Exception {
        try (RedisServer redis = RedisServer.start();
                ConsoleService service = ConsoleService.start(
                        directory,
                        ConsoleService.POLICIES,
                        settings -> settings.withRedis(new RedisUri(redis.uri())))) {
            service.decide(5, ALICE);
            Page page = chromium.open(service.console("now"));
            assertThat(page.locator("#store .pill")).hasText("up");
            assertThat(page.locator("#store")).containsText("latency");
            assertThat(page.locator("#store canvas")).isVisible();

            redis.kill();
            for (int i = 0; i < 30; i++) {
                service.decide(1, ALICE);
            }
            assertThat(page.locator("#store .pill")).hasText("unavailable");
            assertThat(page.locator("#store")).containsText("fallback");
            assertThat(page.locator("#band-legend")).isVisible();
            assertThat(page.locator("#policies-in-use")).containsText("the store is unavailable");
            Chromium.picture(page, "now-fallback");

            redis.restart();
            page.waitForCondition(
                    () -> { // decisions detect the return
                        decide(service);
                        return page.locator("#store .pill").textContent().equals("up");
                    });
            assertThat(page.locator("#band-legend")).isVisible();
        }
    }

    private static void decide(ConsoleService service) {
        try {
            service.decide(1, ALICE);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nodesOfTheFleet_areListed() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        try (RedisServer redis = RedisServer.start();
                ConsoleService one = ConsoleService.start(
                        directory, ConsoleService.POLICIES, settings -> settings.withRedis(new RedisUri(redis.uri())));
                ConsoleService two = ConsoleService.start(
                        other,
                        ConsoleService.POLICIES.replace("5/h", "6/h"),
                        settings -> settings.withRedis(new RedisUri(redis.uri())))) {
            Page page = chromium.open(one.console("now"));

            assertThat(page.locator("#nodes .node-line")).hasCount(2);
            assertThat(page.locator("#nodes")).containsText(":" + two.server().port());
            assertThat(page.locator("#nodes .pill.warn")).hasText("different policies");
            Chromium.picture(page, "now-nodes");
        }
    }

    @Test
    void failedReload_isShownWithItsErrors_alsoLater() throws Exception {
        try (ConsoleService service = ConsoleService.start(directory)) {
            Page page = chromium.open(service.console("now"));
            assertThat(page.locator("#policies-in-use .pill")).hasText("up to date");

            service.write(ConsoleService.POLICIES.replace("5/h", "0/h"));
            page.getByText("Reload the files").click();
            assertThat(page.locator("#told")).containsText("cannot be used; version 1 stays in use");
            assertThat(page.locator("#policies-in-use .pill")).hasText("last reload failed");
            assertThat(page.locator("#policies-in-use .errors")).containsText("policies.yaml:8:");
            assertThat(page.locator("#policies-in-use .errors")).containsText("0/h (expected: a rate above 0)");
            Chromium.picture(page, "now-failed-reload");

            service.write(ConsoleService.POLICIES.replace("5/h", "50/h"));
            page.getByText("Reload the files").click();
            assertThat(page.locator("#policies-in-use .pill")).hasText("up to date");
            assertThat(page.locator("#policies-in-use .facts")).containsText("version2");
            page.getByText("Earlier failed reloads").click();
            assertThat(page.locator("#policies-in-use details .errors")).containsText("0/h (expected: a rate above 0)");
        }
    }

    @Test
    void shadowForTheService_showsABanner_andCanBeEnded() throws Exception {
        try (ConsoleService service = ConsoleService.start(directory)) {
            Page page = chromium.open(service.console("now"));
            assertThat(page.locator("#policies-in-use")).containsText("version");
            assertThat(page.locator("#shadow")).isHidden();

            page.getByText("Put everything in shadow mode…").click();
            page.locator("#change select").selectOption("1 hour");
            page.locator("#change button.main").click();
            assertThat(page.locator("#shadow")).containsText("The whole service is in shadow mode");
            assertThat(page.locator("#shadow")).containsText(Pattern.compile("It ends in (59 min|1 h)"));
            service.decide(8, ALICE);
            assertThat(page.locator("#tile-allowed .more")).hasText("8, 100 %");
            Chromium.picture(page, "now-shadow");

            page.getByText("End shadow").click();
            assertThat(page.locator("#shadow")).isHidden();
            assertThat(service.admin("/admin/explain", Map.of("attributes", ALICE))
                            .has("policies"))
                    .isTrue();
        }
    }
}
