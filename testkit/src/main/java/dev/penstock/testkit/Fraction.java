package dev.penstock.testkit;

import java.math.BigInteger;

/**
 * An exact rational number, in lowest terms with a positive denominator.
 *
 * <p>Immutable; never overflows, never rounds unless told to.
 */
public final class Fraction implements Comparable<Fraction> {
    public static final Fraction ZERO = new Fraction(BigInteger.ZERO, BigInteger.ONE);

    private final BigInteger numerator;
    private final BigInteger denominator;

    private Fraction(BigInteger numerator, BigInteger denominator) {
        this.numerator = numerator;
        this.denominator = denominator;
    }

    public static Fraction of(long whole) {
        return of(BigInteger.valueOf(whole));
    }

    public static Fraction of(BigInteger whole) {
        return new Fraction(whole, BigInteger.ONE);
    }

    public static Fraction of(long numerator, long denominator) {
        return of(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
    }

    public static Fraction of(BigInteger numerator, BigInteger denominator) {
        if (denominator.signum() == 0) {
            throw new ArithmeticException("denominator: 0 (expected: another number)");
        }
        BigInteger common = numerator.gcd(denominator);
        BigInteger divisor = denominator.signum() < 0 ? common.negate() : common;
        return divisor.equals(BigInteger.ONE)
                ? new Fraction(numerator, denominator)
                : new Fraction(numerator.divide(divisor), denominator.divide(divisor));
    }

    public Fraction plus(Fraction other) {
        if (denominator.equals(other.denominator)) {
            return of(numerator.add(other.numerator), denominator);
        }
        return of(
                numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
                denominator.multiply(other.denominator));
    }

    public Fraction negate() {
        return new Fraction(numerator.negate(), denominator);
    }

    public Fraction minus(Fraction other) {
        return plus(other.negate());
    }

    public Fraction times(Fraction other) {
        return of(numerator.multiply(other.numerator), denominator.multiply(other.denominator));
    }

    public Fraction times(long factor) {
        return times(of(factor));
    }

    public Fraction dividedBy(Fraction other) {
        return of(numerator.multiply(other.denominator), denominator.multiply(other.numerator));
    }

    public Fraction max(Fraction other) {
        return compareTo(other) >= 0 ? this : other;
    }

    public Fraction min(Fraction other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /** The largest whole number that is not above this one. */
    public BigInteger floor() {
        BigInteger[] parts = numerator.divideAndRemainder(denominator);
        return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    /** The smallest whole number that is not below this one. */
    public BigInteger ceil() {
        return negate().floor().negate();
    }

    public BigInteger denominator() {
        return denominator;
    }

    public int signum() {
        return numerator.signum();
    }

    @Override
    public int compareTo(Fraction other) {
        return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Fraction that
                && numerator.equals(that.numerator)
                && denominator.equals(that.denominator);
    }

    @Override
    public int hashCode() {
        return 31 * numerator.hashCode() + denominator.hashCode();
    }

    @Override
    public String toString() {
        return denominator.equals(BigInteger.ONE) ? numerator.toString() : numerator + "/" + denominator;
    }
}
