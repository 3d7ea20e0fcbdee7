package dev.penstock.server.internal.settings;

import dev.penstock.policy.text.Nearest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Settings given as environment variables. */
final class Variables implements Source {
    /** The variable that names the configuration file. */
    static final String CONFIG = Setting.PREFIX + "CONFIG";

    /** The prefix of variables that policies use. */
    private static final String FOR_POLICIES = Setting.PREFIX + "HASH_KEY";

    /** Variables used in the development of Penstock. */
    private static final Set<String> FOR_OTHERS = Set.of("PENSTOCK_COLOR", "PENSTOCK_VALKEY");

    /** Variables that Kubernetes sets in each container if a service is named penstock or penstock-admin. */
    private static final Pattern OF_KUBERNETES =
            Pattern.compile(Setting.PREFIX + "(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_\\d+_(TCP|UDP|SCTP)(_.+)?)");

    private static final Pattern VALUE_OF_KUBERNETES = Pattern.compile("(tcp|udp|sctp)://\\S+:\\d+");

    private final Map<String, String> environment;
    private final Problems problems;

    Variables(Map<String, String> environment, Problems problems) {
        this.environment = environment;
        this.problems = problems;
    }

    /** Records an error for every unknown variable that begins with the prefix. */
    void refuseUnknown(List<Setting<?>> settings) {
        List<String> known = settings.stream().map(Setting::variable).toList();
        for (String name : new TreeMap<>(environment).keySet()) {
            boolean ours = name.startsWith(Setting.PREFIX)
                    && !name.equals(CONFIG)
                    && !name.startsWith(FOR_POLICIES)
                    && !FOR_OTHERS.contains(name)
                    && !isOfKubernetes(name);
            if (ours && !known.contains(name)) {
                String nearest = Nearest.of(name, known);
                String hint = nearest == null ? "" : "; did you mean " + nearest + "?";
                problems.add(name, "no such setting (expected: one of serve --help" + hint + ")");
            }
        }
    }

    @Override
    public @Nullable SourcedValue written(Setting<?> setting) {
        String name = setting.variable();
        String text = environment.get(name);
        return text == null || isOfKubernetes(name) ? null : CommaList.written(setting, name, List.of(text), problems);
    }

    private boolean isOfKubernetes(String name) {
        return OF_KUBERNETES.matcher(name).matches()
                || (name.endsWith("_PORT")
                        && VALUE_OF_KUBERNETES
                                .matcher(environment.getOrDefault(name, ""))
                                .matches());
    }
}
