package dev.penstock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.io.BufferedReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The console of {@code ./penstock demo}, at ten times the normal speed. */
class DemoConsoleIT {
    private static final String OPEN = "Open ";

    @RegisterExtension
    final Chromium chromium = new Chromium();

    private Process demo;
    private BufferedReader lines;
    private String console;

    @BeforeEach
    void start() throws Exception {
        demo = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.penstock.demo.DemoMain",
                        "--port",
                        "0",
                        "--admin-port",
                        "0",
                        "--speed",
                        "10")
                .redirectError(Redirect.INHERIT)
                .start();
        lines = demo.inputReader(StandardCharsets.UTF_8);
        console = readUntil(OPEN).substring(OPEN.length());
    }

    @AfterEach
    void stop() throws Exception {
        demo.destroy();
        assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    private String readUntil(String part) throws Exception {
        String line = lines.readLine();
        while (line != null && !line.contains(part)) {
            line = lines.readLine();
        }
        assertThat(line).as("a line with " + part).isNotNull();
        return line;
    }

    @Test
    void console_showsTheCandidate_andTheLoginUnderAttack() throws Exception {
        readUntil("login attack over: ");
        Page page = chromium.open(console + "#policies");

        Locator candidate = page.locator(".traffic-row").filter(Chromium.text("candidate of plan"));
        assertThat(candidate)
                .containsText(Pattern.compile("[1-9][0-9,]* compared since the start: .*[1-9][0-9,]* looser"));
        assertThat(candidate.boundingBox().height).as("the name has room").isLessThan(80);
        assertThat(page.locator(".traffic-row").filter(Chromium.text("login")))
                .containsText(Pattern.compile("[1-9][0-9,]* denied"));
        Chromium.picture(page, "demo-policies");

        page.navigate(console);
        assertThat(page.locator("body")).containsText("login");
        Chromium.picture(page, "demo-now");
    }
}
