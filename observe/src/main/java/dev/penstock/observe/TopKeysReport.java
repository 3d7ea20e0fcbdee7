package dev.penstock.observe;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The keys that were requested most and denied most, by policy.
 *
 * @param span the time that the counts cover
 * @param nodes the number of nodes in the report
 * @param policies the policies by name
 */
public record TopKeysReport(Duration span, int nodes, List<OfPolicy> policies) {
    public TopKeysReport {
        policies = List.copyOf(policies);
    }

    /** The top keys of one policy. */
    public record OfPolicy(String policy, TopKeyList asked, TopKeyList denied) {}

    /** Merges the reports of several nodes, with at most this number of keys per policy. */
    static TopKeysReport together(Collection<TopKeysReport> reports, int most) {
        Set<String> names = new TreeSet<>();
        reports.forEach(report -> report.policies.forEach(each -> names.add(each.policy)));
        Duration longest = reports.stream()
                .map(TopKeysReport::span)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        int nodes = reports.stream().mapToInt(TopKeysReport::nodes).sum();
        return new TopKeysReport(
                longest,
                nodes,
                names.stream().map(name -> ofPolicy(name, reports, most)).toList());
    }

    private static OfPolicy ofPolicy(String name, Collection<TopKeysReport> reports, int most) {
        Ranking asked = new Ranking();
        Ranking denied = new Ranking();
        for (TopKeysReport report : reports) {
            for (OfPolicy each : report.policies) {
                if (each.policy.equals(name)) {
                    asked.add(each.asked);
                    denied.add(each.denied);
                }
            }
        }
        return new OfPolicy(name, asked.top(most), denied.top(most));
    }
}
