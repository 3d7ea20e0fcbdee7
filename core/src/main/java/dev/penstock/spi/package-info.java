/**
 * The interfaces that extenders implement or use: {@link dev.penstock.spi.Engine}, its {@link dev.penstock.spi.Reply},
 * the {@link dev.penstock.spi.Sharding} of an engine whose state is on several servers, and the {@link
 * dev.penstock.spi.Fleet} and {@link dev.penstock.spi.SharedNotes} of nodes that share a store.
 *
 * <p>Start at {@link dev.penstock.spi.Engine}. Implementations are thread-safe. A reply fails with {@link
 * dev.penstock.spi.StoreRefused} if a key is at fault, and with {@link dev.penstock.spi.ReplicasMissing} if replicas
 * are.
 */
@NullMarked
package dev.penstock.spi;

import org.jspecify.annotations.NullMarked;
