package dev.penstock.policy.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.penstock.policy.PolicyError;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every good file loads. Every bad file gives exactly the errors in the file next to it, formatted as users see them.
 */
class CorpusTest {
    static List<CorpusCase> good() {
        return CorpusCase.all("good");
    }

    static List<CorpusCase> bad() {
        return CorpusCase.all("bad");
    }

    @Test
    void corpus_isNotEmpty() {
        assertThat(good()).hasSizeGreaterThanOrEqualTo(45);
        assertThat(bad()).hasSizeGreaterThanOrEqualTo(75);
    }

    @ParameterizedTest
    @MethodSource("good")
    void load_good_hasNoErrors(CorpusCase each) {
        assertThatCode(each::load).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("bad")
    void load_bad_hasExactlyTheseErrors(CorpusCase each) {
        String found = each.errors().stream().map(PolicyError::withLine).collect(Collectors.joining("\n"));

        assertThat(found).isEqualTo(each.expectedErrors());
    }
}
