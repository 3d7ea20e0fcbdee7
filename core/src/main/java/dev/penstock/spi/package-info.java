/**
 * What extenders implement: {@link dev.penstock.spi.Engine}, the {@link dev.penstock.spi.Reply} that it answers with,
 * the {@link dev.penstock.spi.Sharding} of one whose state is on several servers, the {@link dev.penstock.spi.Fleet} that one with state in common may offer, and the {@link dev.penstock.spi.SharedNotes} of that. A reply fails by
 * {@link dev.penstock.spi.StoreRefused} where not the engine but a key is to blame, and by {@link dev.penstock.spi.ReplicasMissing} where replicas are.
 *
 * <p>Implementations are thread-safe.
 */
@NullMarked
package dev.penstock.spi;

import org.jspecify.annotations.NullMarked;
