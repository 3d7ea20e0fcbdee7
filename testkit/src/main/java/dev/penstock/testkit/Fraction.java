package dev.penstock.testkit;

import java.math.BigInteger;

/**
 * An exact rational number, in lowest terms with a positive denominator.
 *
 * <p>Immutable. Never overflows, and rounds only in {@link #floor} and {@link #ceil}.
 */
public final class Fraction implements Comparable<Fraction> {
    public static final Fraction ZERO = new Fraction(BigInteger.ZERO, BigInteger.ONE);

    private final BigInteger numerator;
    private final BigInteger denominator;

    private Fraction(BigInteger numerator, BigInteger denominator) {
        this.numerator = numerator;
        this.denominator = denominator;
    }

    /** Returns a whole number. */
    public static Fraction of(long whole) {
        return of(BigInteger.valueOf(whole));
    }

    /** Returns a whole number. */
    public static Fraction of(BigInteger whole) {
        return new Fraction(whole, BigInteger.ONE);
    }

    /** Returns the quotient in lowest terms. */
    public static Fraction of(long numerator, long denominator) {
        return of(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
    }

    /** Returns the quotient in lowest terms. */
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

    /** Returns the sum. */
    public Fraction plus(Fraction other) {
        if (denominator.equals(other.denominator)) {
            return of(numerator.add(other.numerator), denominator);
        }
        return of(
                numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
                denominator.multiply(other.denominator));
    }

    /** Returns this number with the opposite sign. */
    public Fraction negate() {
        return new Fraction(numerator.negate(), denominator);
    }

    /** Returns the difference. */
    public Fraction minus(Fraction other) {
        return plus(other.negate());
    }

    /** Returns the product. */
    public Fraction times(Fraction other) {
        return of(numerator.multiply(other.numerator), denominator.multiply(other.denominator));
    }

    /** Returns the product. */
    public Fraction times(long factor) {
        return times(of(factor));
    }

    /** Returns the quotient. Throws {@link ArithmeticException} if the other number is zero. */
    public Fraction dividedBy(Fraction other) {
        return of(numerator.multiply(other.denominator), denominator.multiply(other.numerator));
    }

    /** Returns the larger of the two numbers. */
    public Fraction max(Fraction other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /** Returns the smaller of the two numbers. */
    public Fraction min(Fraction other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /** Returns the largest whole number that is not above this one. */
    public BigInteger floor() {
        BigInteger[] parts = numerator.divideAndRemainder(denominator);
        return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    /** Returns the smallest whole number that is not below this one. */
    public BigInteger ceil() {
        return negate().floor().negate();
    }

    /** Returns the denominator, which is positive. */
    public BigInteger denominator() {
        return denominator;
    }

    /** Returns -1, 0 or 1, the sign of this number. */
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
