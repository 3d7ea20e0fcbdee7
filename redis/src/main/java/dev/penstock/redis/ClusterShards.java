package dev.penstock.redis;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Sharding;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The shards of a Cluster: each primary with its slots. A shard is named by its lowest slot. A replica that takes over
 * the slots is therefore the same shard, and the record of its failures continues until it answers. Thread-safe.
 */
final class ClusterShards implements Sharding {
    /**
     * Maximum number of known nodes, which is more than a Cluster has primaries. Above it, nodes from earlier
     * topologies are dropped.
     */
    private static final int MOST_NODES = 1_000;

    private final IntFunction<@Nullable RedisClusterNode> owners;
    private final Function<String, Iterable<PermitId>> permits;
    private final KeyNames names;

    /**
     * The shard names by node, replaced as a whole. Each topology refresh creates new node objects, so the slots of an
     * object never change.
     */
    private volatile IdentityHashMap<RedisClusterNode, String> nodes = new IdentityHashMap<>();

    /**
     * Creates the shards of a Cluster.
     *
     * @param owners returns the node that has a slot, or null if no node has it
     * @param permits returns the ids that a permit id consists of
     */
    ClusterShards(
            IntFunction<@Nullable RedisClusterNode> owners,
            Function<String, Iterable<PermitId>> permits,
            KeyNames names) {
        this.owners = owners;
        this.permits = permits;
        this.names = names;
    }

    /** Returns the shard that has the slot, or null if no node has it. */
    @Nullable
    String shardOf(int slot) {
        RedisClusterNode owner = owners.apply(slot);
        return owner == null ? null : nameOf(owner);
    }

    private String nameOf(RedisClusterNode node) {
        String known = nodes.get(node);
        return known == null ? learn(node) : known;
    }

    private synchronized String learn(RedisClusterNode node) {
        IdentityHashMap<RedisClusterNode, String> more =
                nodes.size() < MOST_NODES ? new IdentityHashMap<>(nodes) : new IdentityHashMap<>();
        String name = Integer.toString(node.getSlots().get(0));
        more.put(node, name);
        nodes = more;
        return name;
    }

    @Override
    public Set<String> shardsOf(Ask ask) {
        Set<String> shards = new LinkedHashSet<>();
        for (Charge charge : ask.charges()) {
            add(Slots.of(names.state(charge)), shards);
        }
        String id = ask.id();
        if (id != null && ask.fingerprint() != null) {
            add(Slots.of(names.claim(id)), shards);
        }
        return shards;
    }

    @Override
    public Set<String> shardsOfPermit(String permitId) {
        Set<String> shards = new LinkedHashSet<>();
        for (PermitId each : permits.apply(permitId)) {
            add(each.slot(), shards);
        }
        return shards;
    }

    private void add(int slot, Set<String> shards) {
        String shard = shardOf(slot);
        if (shard != null) {
            shards.add(shard);
        }
    }

    @Override
    public @Nullable String colocationOn(String shard) {
        int slot = slotOf(shard);
        return slot >= 0 && shard.equals(shardOf(slot)) ? Slots.tag(slot) : null;
    }

    @Override
    public String addressOf(String shard) {
        int slot = slotOf(shard);
        RedisClusterNode owner = slot < 0 ? null : owners.apply(slot);
        return owner == null ? "slot " + shard : PrimaryInfo.where(owner);
    }

    /** Returns the lowest slot of a shard. Negative if the text cannot be a shard name. */
    static int slotOf(String shard) {
        boolean isNumber =
                !shard.isEmpty() && shard.length() <= 5 && shard.chars().allMatch(Character::isDigit);
        int slot = isNumber ? Integer.parseInt(shard) : -1;
        return slot < SlotHash.SLOT_COUNT ? slot : -1;
    }
}
