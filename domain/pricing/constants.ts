/**
 * The business's numbers that touch a price. They are said once, here, and every page, mail and rule reads them from here.
 * What nothing charges or pays yet is agreed, and stands in copy.
 * Amounts are cents, rates are parts per million, spans carry their unit in the name.
 */

/** 5 % off tires for customers whose service was verified. */
export const MILITARY_DISCOUNT_PPM = 50_000

/** $25 off installation, once, when the cart has this many tires and installation. */
export const INSTALL_DISCOUNT_CENTS = 2500
export const INSTALL_DISCOUNT_FROM_TIRES = 4

/** The store's own card takes 5 % off a first purchase. */
export const STORE_CARD_FIRST_PURCHASE_PPM = 50_000

/** A referred friend gets at most 30 % off. */
export const REFERRAL_FRIEND_MAX_PPM = 300_000
/** The referrer gets $10 of account credit after the return window, never off a price. */
export const REFERRER_REWARD_CENTS = 1000

/** Daily deals take at most 20 % off. */
export const DAILY_DEAL_MAX_PPM = 200_000

/** Of every four units, "buy three get one" frees one. */
export const BUY_THREE_GET_ONE_UNITS = 4

/** Replacement coverage: what is paid toward a new tire in the first, second and third year, and toward one repair. */
export const REPLACEMENT_COVERAGE = { months: 36, capCentsByYear: [40_000, 20_000, 10_000], repairCents: 2500 } as const

/** The road hazard plan sold under an installer's name instead: all of it in year one, half of the tire's price in year two, labor never. */
export const ROAD_HAZARD_PLAN = { months: 24, customerPaysPpmByYear: [0, 500_000] } as const

/** Roadside assistance is sold once per order, and only with this many tires plus installation. */
export const ROADSIDE_MONTHS = 12
export const ROADSIDE_FROM_TIRES = 4

/** Returns of unmounted tires, and the handling fee where one is due (none when the right size is ordered again or we said that it fits). */
export const RETURN_WINDOW_DAYS = 30
export const RETURN_HANDLING_FEE_CENTS = 2000
/** How soon after the tires came back. */
export const REFUND_WITHIN_HOURS = 48

/** What a shop is paid per tire it installs. */
export const INSTALLER_PAY_PER_TIRE_CENTS = { min: 1500, max: 2400 } as const
/** How soon after the installation. */
export const INSTALLER_PAID_WITHIN_HOURS = 48
