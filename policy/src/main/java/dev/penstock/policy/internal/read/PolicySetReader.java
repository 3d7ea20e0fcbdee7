package dev.penstock.policy.internal.read;

import dev.penstock.Clock;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.internal.match.KeyedHash;
import dev.penstock.policy.internal.match.RoutePattern;
import dev.penstock.policy.internal.select.ListEntry;
import dev.penstock.policy.internal.select.Selector;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.policy.internal.yaml.SourceFile;
import dev.penstock.policy.internal.yaml.Words;
import dev.penstock.policy.internal.yaml.YamlReader;
import dev.penstock.policy.text.Unexpected;
import dev.penstock.spi.PolicyVersion;
import dev.penstock.spi.StaticDecision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads all files of one set of policies together. For one use. */
public final class PolicySetReader {
    private static final List<String> WORDS = List.of(
            "version",
            "policies",
            "plans",
            "default_plan",
            "tenants",
            "allow",
            "deny",
            "default",
            "routes",
            "attributes",
            "secrets",
            "hash_key");
    private static final Set<String> USUAL_SECRETS = Set.of("api_key");

    /** The inputs other than the files. */
    public record ReadContext(SecretSource secrets, Clock clock, PolicyVersion version) {}

    private final ReadContext circumstances;
    private final Findings findings;
    private final Drafts drafts = new Drafts();

    /** The place of the first use of each name, to detect duplicates. */
    private final Map<String, Field> places = new HashMap<>();

    private PolicySetReader(ReadContext circumstances, Findings findings) {
        this.circumstances = circumstances;
        this.findings = findings;
    }

    /**
     * Returns the contents of the files. They may be used only if the findings are then empty. Returns null if they
     * cannot be resolved.
     */
    public static Selector.@Nullable Contents read(
            List<SourceFile> files, ReadContext circumstances, Findings findings) {
        return new PolicySetReader(circumstances, findings).read(files);
    }

    private Selector.@Nullable Contents read(List<SourceFile> files) {
        drafts.files = files.size();
        List<Words> roots = new ArrayList<>();
        for (SourceFile file : files) {
            findings.begin(file.name());
            Field root = YamlReader.read(file, findings);
            if (root != null) {
                roots.add(root(root));
            }
        }
        boolean allAreYaml = roots.size() == files.size();
        Attributes declared = attributes(roots);
        // A file that could not be parsed may declare more, so undeclared attributes would be reported falsely.
        Attributes attributes = allAreYaml ? declared : Attributes.ANY;
        Secrecy secrecy = secrecy(roots, attributes);
        MatchReader matches = new MatchReader(attributes, secrecy);
        PolicyReader policies = new PolicyReader(matches, new KeyReader(attributes, secrecy));
        for (Words root : roots) {
            routes(root.get("routes"));
            lists(root, matches);
            plans(root);
            policies(root, policies);
        }
        // References may point into a file that could not be parsed, so resolving them would report false errors.
        LeaseNotes.add(drafts.policies.values());
        return allAreYaml ? new DraftResolver(drafts, circumstances, findings).contents() : null;
    }

    private static Words root(Field root) {
        Words words = root.words("a mapping, beginning with version: 1").only(WORDS);
        Field version = words.required("version", "version: 1");
        String number = version == null ? null : version.text("1");
        if (version != null && number != null && !number.equals("1")) {
            version.refuse("1, the only version");
        }
        return words;
    }

    private static Attributes attributes(List<Words> roots) {
        Set<String> declared = new LinkedHashSet<>();
        boolean areDeclared = false;
        for (Words root : roots) {
            Field field = root.get("attributes");
            if (field != null) {
                areDeclared = true;
                for (Field item : field.items("a list of attributes such as [user, api_key]")) {
                    String name = Texts.read(item, "an attribute", Attributes::name);
                    if (name != null) {
                        declared.add(name);
                    }
                }
            }
        }
        return areDeclared ? Attributes.declared(declared) : Attributes.ANY;
    }

    private Secrecy secrecy(List<Words> roots, Attributes known) {
        Set<String> attributes = new LinkedHashSet<>();
        boolean said = false;
        boolean declared = false;
        KeyedHash hash = null;
        for (Words root : roots) {
            Field secrets = root.get("secrets");
            if (secrets != null) {
                said = true;
                for (Field item : secrets.items("a list of attributes")) {
                    String attribute = Texts.read(item, "an attribute", known::check);
                    if (AttributeNames.ROUTE.equals(attribute)) {
                        item.refuse("another attribute: the route in a key is its pattern, which is not hashed");
                    } else if (attribute != null) {
                        attributes.add(attribute);
                    }
                }
            }
            Field key = onlyOne(root.get("hash_key"));
            declared |= key != null;
            hash = key == null ? hash : circumstances.secrets().read(key);
        }
        drafts.secrets.addAll(said ? attributes : USUAL_SECRETS);
        return new Secrecy(drafts.secrets, declared, hash);
    }

    /** Reports a word that appears in two files but is allowed only in one. */
    private @Nullable Field onlyOne(@Nullable Field field) {
        return field != null && isFirst(field.path(), field, "once in all files") ? field : null;
    }

    private boolean isFirst(String name, Field field, String expected) {
        Field before = places.putIfAbsent(name, field);
        if (before != null) {
            field.report("appears twice (expected: " + expected + "; it is also in " + before.place() + ")");
        }
        return before == null;
    }

    private void routes(@Nullable Field field) {
        if (field == null) {
            return;
        }
        for (Field item : field.items("a list of routes such as /api/orders/{id}")) {
            RoutePattern pattern = Texts.read(item, "a route such as /api/orders/{id}", RoutePattern::parse);
            if (pattern != null) {
                drafts.routes.add(pattern);
            }
        }
    }

    private void lists(Words root, MatchReader matches) {
        for (Words.Word word : root.all()) { // in file order, so that the second of two duplicates is the one reported
            if (word.word().equals("deny")) {
                list(word.value(), matches, drafts.deny);
            } else if (word.word().equals("allow")) {
                list(word.value(), matches, drafts.allow);
            }
        }
    }

    private void list(Field field, MatchReader matches, List<ListEntry> entries) {
        String expected = "a list of entries such as { name: office, match: { ip: 192.0.2.0/24 } }";
        for (Field item : field.items(expected)) {
            Words words = item.words("an entry such as { name: office, match: { ip: 192.0.2.0/24 } }")
                    .only("name", "match");
            Field nameAt = words.required("name", "its name");
            String name = Texts.name(nameAt);
            Field match = words.required("match", "the requests that it applies to");
            ListEntry entry = match == null ? null : new ListEntry(name == null ? "" : name, matches.readSome(match));
            if (nameAt != null && name != null && entry != null && isFirst("entry " + name, nameAt, "a unique name")) {
                entries.add(entry);
            }
        }
    }

    private void plans(Words root) {
        Field plans = root.get("plans");
        if (plans != null) {
            for (Words.Word word : plans.words("a mapping of plans, such as free: { requests: 60/min }")
                    .all()) {
                PlanDraft plan = PlanReader.plan(word.value());
                if (hasName(word) && isFirst("plan " + word.word(), word.value(), "a unique name")) {
                    drafts.plans.put(word.word(), plan);
                }
            }
        }
        Field tenants = root.get("tenants");
        if (tenants != null) {
            for (Words.Word word : tenants.words("a mapping of tenants to plans, such as acme: enterprise")
                    .all()) {
                TenantDraft tenant = PlanReader.tenant(word.value());
                if (word.word().isEmpty()) {
                    word.refuse("a tenant, not an empty text");
                } else if (tenant != null && isFirst("tenant " + word.word(), word.value(), "each tenant only once")) {
                    drafts.tenants.put(word.word(), tenant);
                }
            }
        }
        Field defaultPlan = onlyOne(root.get("default_plan"));
        drafts.defaultPlan = defaultPlan == null ? drafts.defaultPlan : defaultPlan;
    }

    private static boolean hasName(Words.Word word) {
        try {
            Texts.checkedName(word.word());
            return true;
        } catch (Unexpected e) {
            word.refuse(e.expected());
            return false;
        }
    }

    private void policies(Words root, PolicyReader reader) {
        Field policies = root.get("policies");
        if (policies != null) {
            for (Field item : policies.items("a list of policies")) {
                PolicyDraft policy = reader.read(item);
                if (policy != null && isFirst("policy " + policy.name(), item, "a unique name")) {
                    drafts.policies.put(policy.name(), policy);
                }
            }
        }
        Field otherwise = onlyOne(root.get("default"));
        if (otherwise != null && otherwise.isMapping()) {
            drafts.defaultPolicy = reader.readDefault(otherwise);
        } else if (otherwise != null) {
            String expected = "allow, deny or a policy without name and match";
            StaticDecision.Verdict verdict = Texts.read(otherwise, expected, text -> switch (text) {
                case "allow" -> StaticDecision.Verdict.ALLOW;
                case "deny" -> StaticDecision.Verdict.DENY;
                default -> throw new Unexpected(expected + Texts.didYouMean(text, List.of("allow", "deny")));
            });
            drafts.otherwise = verdict == null ? drafts.otherwise : verdict;
        }
    }
}
