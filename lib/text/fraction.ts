/** An exact fraction in lowest terms, with a positive denominator. */
export class Fraction {
  private constructor(
    readonly over: bigint,
    readonly under: bigint,
  ) {}

  /** @param number its decimals are taken as they are written: 0.1 is one tenth */
  static of(number: number): Fraction {
    const [digits = '0', exponent = '0'] = String(number).split('e');
    const [whole = '0', decimals = ''] = digits.split('.');
    const power = Number(exponent) - decimals.length;
    const over = BigInt(whole + decimals);
    return power >= 0
      ? new Fraction(over * 10n ** BigInt(power), 1n)
      : Fraction.lowest(over, 10n ** BigInt(-power));
  }

  /** @param under not zero */
  static lowest(over: bigint, under: bigint): Fraction {
    let [a, b] = [over < 0n ? -over : over, under < 0n ? -under : under];
    while (b > 0n) [a, b] = [b, a % b];
    const divisor = (a || 1n) * (under < 0n ? -1n : 1n);
    return new Fraction(over / divisor, under / divisor);
  }

  /** The nearest number. */
  get value(): number {
    return Number(this.over) / Number(this.under);
  }

  /** Below, equal to or above zero. */
  get sign(): number {
    return this.over < 0n ? -1 : this.over > 0n ? 1 : 0;
  }
}

export const add = (a: Fraction, b: Fraction): Fraction =>
  Fraction.lowest(a.over * b.under + b.over * a.under, a.under * b.under);
export const negated = (a: Fraction): Fraction => Fraction.lowest(-a.over, a.under);
export const multiply = (a: Fraction, b: Fraction): Fraction =>
  Fraction.lowest(a.over * b.over, a.under * b.under);
/** @param b not zero */
export const divide = (a: Fraction, b: Fraction): Fraction =>
  Fraction.lowest(a.over * b.under, a.under * b.over);
