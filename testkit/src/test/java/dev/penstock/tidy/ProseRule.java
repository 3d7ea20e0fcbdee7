package dev.penstock.tidy;

import java.util.regex.Pattern;

/** Phrasings that slow readers down, each with a better one. {@link ProseTest} has a bad sample for each. */
enum ProseRule {
    TELL("\\b(?:tells|told|telling)\\b", "returns, reports, sends or says"),
    SO_MANY("\\bso many\\b", "the number"),
    WHOEVER("\\bwho(?:so)?ever\\b", "the caller, the client"),
    BUT_FOR("\\bbut for\\b", "except"),
    IN_THE_PLACE_OF("\\bin the place of\\b", "instead of"),
    STANDS("\\bstands? (?:in|there|once|beside)\\b", "is"),
    THAT_THERE_IS("\\bthat there (?:is|are|was|were)\\b", "existing, or nothing"),
    BY_CHANCE("\\bby chance\\b", "random, randomly"),
    ONES_OWN("\\bone's own\\b", "your own"),
    AS_EVER("\\b(?:as|than) ever\\b", "as usual"),
    NEED_BE("\\bneed be\\b", "if necessary"),
    ALL_THE_SAME("\\ball the same\\b", "anyway, still"),
    OTHERWISE_ELSE("(?:; |, |\\. |: )[Ee]lse(?! if| \\{)", "otherwise"),
    FIGURE("\\bfigures? (?:of|that|are|is)\\b", "number, measurement"),
    WHAT_CLAUSE(
            "(?:^|[.:!?] )(?:What|Whether|Who|Whoever|Whose|Of|Within what|In what|With what)\\b[^.!?]*[.!]",
            "a sentence that starts with the thing that acts"),
    THE_SAME_FOR("^The same (?:for|of|with|without|in|as)\\b", "a first sentence that stands on its own"),
    FIRST_LAYER("\\bfirst layers?\\b", "local limit"),
    TIME_OUT("\\btime-outs?\\b", "timeout"),
    OBSERVED_SHADOW("\\b(?:only|merely) (?:observed?|observes|watched|watches|tried)\\b", "shadow"),
    WHERE_CLAUSE(
            "(?:^|[.:!?] )Where (?!(?:is|are|do|does|things|to)\\b)[^.!?]*[.!]",
            "a sentence that starts with the thing that acts"),
    IN_FORCE("\\bin force\\b", "in use (the glossary has one word per thing)"),
    RULING("\\brulings?\\b", "static decision"),
    TALKER("\\btalkers?\\b", "top keys"),
    STORE_AWAY("\\b(?:[Rr]edis|[Ss]tore|[Ss]hard|[Ss]erver) (?:is|was|being) away\\b", "unavailable"),
    BRITISH(
            "\\b(?:behaviour|colour|honour|neighbour|favour|licence|recognise|organise|cancelled|cancelling|travelled|"
                    + "travelling|labelled|catalogue|artefact)(?:s|d|ed|ing)?\\b",
            "American spelling");

    private final Pattern pattern;
    private final String instead;

    ProseRule(String pattern, String instead) {
        this.pattern = Pattern.compile(pattern);
        this.instead = instead;
    }

    /** Returns true if a sentence, comment or line breaks the rule. */
    boolean matches(String text) {
        return pattern.matcher(text).find();
    }

    String instead() {
        return instead;
    }
}
