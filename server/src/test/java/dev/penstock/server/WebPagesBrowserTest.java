package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages in a real browser, as somebody uses them who has just started the service; pictures are kept in target. */
class WebPagesBrowserTest {
    @TempDir
    private Path profile;

    private PenstockServer server;
    private Browser browser;
    private String address;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(Browser.installed().isPresent(), "no Chromium: neither in /usr/bin nor at -Dpenstock.chromium=PATH");
        server = PenstockServer.start(TestService.settings(Path.of("../examples/public-api.yaml")));
        address = "http://127.0.0.1:" + server.port();
        browser = Browser.start(Browser.installed().orElseThrow(), profile);
    }

    @AfterEach
    void stop() throws Exception {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private void picture(String name) throws Exception {
        browser.picture(Files.createDirectories(Path.of("target/pictures")).resolve(name + ".png"));
    }

    private void assertTidy() {
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.fetched())
                .isNotEmpty()
                .allSatisfy(
                        url -> assertThat(url).matches(one -> one.startsWith(address) || one.equals("about:blank")));
    }

    @Test
    void startPage_showsWhatIsLeftGoingDown_untilItIsDenied() throws Exception {
        browser.open(address + "/");
        browser.until("document.querySelector('#limits .bar')");
        String left = "document.querySelectorAll('#limits [role=meter]')[1].getAttribute('aria-valuenow')";
        int before = browser.value(left).asInt();
        browser.value("document.getElementById('once').click()");
        browser.until("document.querySelector('#verdict.allowed')");
        assertThat(browser.value(left).asInt()).isEqualTo(before - 1);
        picture("start");

        for (int i = 0; i < 12; i++) {
            int dots = browser.value("document.querySelectorAll('#dots li').length")
                    .asInt();
            browser.value("document.getElementById('ten').click()");
            browser.until(
                    "!document.getElementById('ten').disabled && (document.querySelectorAll('#dots li').length >= "
                            + Math.min(60, dots + 10) + ")");
        }
        assertThat(browser.value("document.querySelectorAll('#dots li.denied').length")
                        .asInt())
                .isPositive();
        browser.prefer("dark");
        picture("start-dark");
        assertTidy();
    }

    @Test
    void docs_everyCallIsThere_andCanBeSent() throws Exception {
        browser.open(address + "/docs");
        browser.until("document.querySelector('#check textarea')?.value.includes('attributes')");
        assertThat(browser.value("document.querySelectorAll('section.operation').length")
                        .asLong())
                .isEqualTo(OpenApiBook.shipped()
                                .tree()
                                .findValuesAsText("operationId")
                                .size()
                        - OpenApiBook.shipped()
                                .tree()
                                .findValuesAsText("x-same-as")
                                .size());

        browser.value("document.querySelector('#check form').requestSubmit()");
        browser.until("document.querySelector('#check .answer b')?.textContent.startsWith('200')");
        picture("docs");

        browser.value("document.querySelector('#reserve form').requestSubmit()");
        browser.until("document.querySelector('#release input').value.startsWith('memory-')");
        browser.value("document.querySelector('#release form').requestSubmit()");
        browser.until("document.querySelector('#release .answer pre')?.textContent.includes('settled')");

        browser.value("document.querySelector('#gate form').requestSubmit()");
        browser.until("document.querySelector('#gate .answer th')?.textContent.startsWith('ratelimit')");
        browser.value("document.querySelector('#gate').scrollIntoView()");
        picture("docs-gate");
        assertTidy();
    }
}
