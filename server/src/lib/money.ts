declare const unit: unique symbol;

/** US dollars in cents. */
export type Cents = bigint & { readonly [unit]: "cents" };

/** A quantity of a token in its smallest unit. */
export type Units = bigint & { readonly [unit]: "units" };

/** US dollars for one whole token, times 10^18. */
export type PriceE18 = bigint & { readonly [unit]: "price" };

/** Says that a whole number is an amount of cents. */
export const asCents = (amount: bigint): Cents => amount as Cents;

/** Says that a whole number is an amount of a token's smallest units. */
export const asUnits = (amount: bigint): Units => amount as Units;

/** Says that a whole number is a price times 10^18. */
export const asPriceE18 = (price: bigint): PriceE18 => price as PriceE18;
