package dev.penstock.bench.steady;

import java.util.List;

/** A request rate over time, made of linear pieces. */
record RateShape(List<Piece> pieces) {
    /** A rate that changes linearly from one value to another. */
    record Piece(double seconds, double fromPerSecond, double toPerSecond) {}

    private static final double LEAST_PER_SECOND = 1;

    RateShape {
        pieces = List.copyOf(pieces);
    }

    static RateShape constant(double perSecond, double seconds) {
        return new RateShape(List.of(new Piece(seconds, perSecond, perSecond)));
    }

    /** Climbs to the peak, holds it, and returns. */
    static RateShape hill(double basePerSecond, double peakPerSecond, double climbSeconds, double holdSeconds) {
        return new RateShape(List.of(
                new Piece(climbSeconds, basePerSecond, peakPerSecond),
                new Piece(holdSeconds, peakPerSecond, peakPerSecond),
                new Piece(climbSeconds, peakPerSecond, basePerSecond),
                new Piece(holdSeconds, basePerSecond, basePerSecond)));
    }

    double seconds() {
        return pieces.stream().mapToDouble(Piece::seconds).sum();
    }

    double perSecondAt(double second) {
        double left = second;
        for (Piece piece : pieces) {
            if (left < piece.seconds()) {
                double share = left / piece.seconds();
                return Math.max(
                        LEAST_PER_SECOND,
                        piece.fromPerSecond() + share * (piece.toPerSecond() - piece.fromPerSecond()));
            }
            left -= piece.seconds();
        }
        return LEAST_PER_SECOND;
    }
}
