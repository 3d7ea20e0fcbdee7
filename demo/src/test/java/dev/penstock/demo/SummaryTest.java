package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {
    private final Summary summary = new Summary(List.of("acme", "globex", "acme"));

    @Test
    void table_hasEachNameOnce_andTheSums() {
        for (int i = 0; i < 1_200; i++) {
            summary.answered("acme", Answer.ALLOWED);
        }
        summary.answered("acme", Answer.DENIED);
        summary.answered("globex", Answer.CHALLENGED);

        assertThat(summary.table().lines())
                .containsExactly(
                        "                 requests    allowed     denied challenged",
                        "acme                1,201      1,200          1          0",
                        "globex                  1          0          1          1",
                        "all                 1,202      1,200          2          1");
    }

    @Test
    void table_withoutDecisions_showsTheFirstError() {
        summary.unanswered("500 oh");
        summary.unanswered("503 no");

        assertThat(summary.table()).endsWith("without a decision: 2, the first: 500 oh\n");
    }
}
