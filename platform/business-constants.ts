/**
 * The business constants, with every row of the specification's section 9. Code that charges, books, refuses, or
 * measures reads them here or from its own domain's name for them. Copy does the same. A hard-coded number elsewhere
 * fails `business-constants.test.ts`. Amounts are in cents, rates in parts per million, and durations have their unit
 * in the name. Numbers that the code doesn't charge or pay yet are agreed and appear in copy. Those that staff can
 * change are the standard values of the business terms (domain/kernel/settings/business-terms.ts).
 */

/**
 * Minimum widths at which layouts change, in CSS pixels, and the grid columns from there up. Parts of a page may also
 * change in between, at the widths listed in the test.
 */
export const BREAKPOINTS_PX = { S: 0, M: 600, L: 976, XL: 1200 } as const
export const GRID_COLUMNS = { S: 4, M: 6, L: 12, XL: 12 } as const

/** How many tires a comparison shows side by side. */
export const COMPARED_TIRES = { min: 2, max: 5 } as const

/** How many tires a listing, and the guided questions, recommend. */
export const TOP_PICKS = 5

/** How long after placing it an order can be canceled. */
export const CANCEL_WITHIN_MINUTES = 30

/**
 * Returns of unmounted tires, counted from delivery, and the handling fee. There's no fee if the customer reorders the
 * right size or if we said the tire fits.
 */
export const RETURN_WINDOW_DAYS = 30
export const RETURN_HANDLING_FEE_CENTS = 2000
/** Counted from when the tires come back. */
export const REFUND_WITHIN_HOURS = 48
/** Damage and missing tires are reported within this many business days of delivery. */
export const DAMAGE_REPORT_BUSINESS_DAYS = 5
/** Photos a shopper may send with a return. */
export const RETURN_PHOTOS_MAX = 5

/** Tires older than this since their DOT week aren't sold (fitment rule FR43). */
export const MAX_TIRE_AGE_YEARS = 6

/** How far ahead a time at a shop can be booked, and the hour at which evening drop-off starts. */
export const BOOKABLE_DAYS_AHEAD = 30
export const EVENING_DROP_OFF_FROM_HOUR = 16

/** Replacement coverage, as our contribution to a new tire in years one, two, and three, and to one repair. */
export const REPLACEMENT_COVERAGE = { months: 36, capCentsByYear: [40_000, 20_000, 10_000], repairCents: 2500 } as const

/** The price of replacement coverage as a share of the tire's price, up to the next 99 cents. */
export const COVERAGE_PRICE_PPM = 100_000

/**
 * The road hazard plan sold under an installer's name, which covers the full tire price in year one and half in year
 * two, without labor.
 */
export const ROAD_HAZARD_PLAN = { months: 24, customerPaysPpmByYear: [0, 500_000] } as const

/** Roadside assistance is sold once per order, only with this many tires plus installation. */
export const ROADSIDE_MONTHS = 12
export const ROADSIDE_FROM_TIRES = 4

/** 5 % off tires for customers with verified military service. */
export const MILITARY_DISCOUNT_PPM = 50_000

/** The offers that come off a loyalty member price (pricing steps 2, 3, and 5). */
export const MEMBER_OFFERS = { deals: true, programs: true, payments: true } as const

/** $25 off installation, once, when the cart has this many tires and installation. */
export const INSTALL_DISCOUNT_CENTS = 2500
export const INSTALL_DISCOUNT_FROM_TIRES = 4

/** What a shop is paid per tire it installs, and how soon after the installation. */
export const INSTALLER_PAY_PER_TIRE_CENTS = { min: 1500, max: 2400 } as const
export const INSTALLER_PAID_WITHIN_HOURS = 48

/** Phone support hours as whole hours in New York, by day of the week (1 is Monday). */
export const SUPPORT_HOURS = [
  { weekdays: [1, 2, 3, 4, 5], opensHour: 8, closesHour: 19 },
  { weekdays: [6], opensHour: 9, closesHour: 17 },
] as const

/** How long a browser stays signed in: 30 days. */
export const SIGN_IN_SECONDS = 2_592_000

/** Length of the random state that ties the sign-in service's response to our request. */
export const CSRF_STATE_CHARACTERS = 32

/** 1 MB, the maximum size of an uploaded picture or other file. */
export const UPLOAD_MAX_BYTES = 1024 * 1024

/** The lowest score of each band, in tenths, inclusive. */
export const SCORE_BANDS = [
  ['Excellent', 90],
  ['Great', 80],
  ['Good', 70],
] as const
export const SCORE_MAX_TENTHS = 100

/** Federal excise tax is due on tires rated to carry more than this (26 U.S.C. 4071(a)). */
export const EXCISE_FREE_LOAD_LB = 3500

/** Daily deals take at most 20 % off. */
export const DAILY_DEAL_MAX_PPM = 200_000

/** Pay-later discounts apply to the entire order; each lender's offer sets the rate. */
export const PAY_LATER_OFFER = { off: 'entire order', ratePpm: 'variable' } as const

/** The store's own card takes 5 % off a first purchase. */
export const STORE_CARD_FIRST_PURCHASE_PPM = 50_000

/**
 * A referred friend gets at most 30 % off; the referrer gets $10 of account credit after the return window, never off a
 * price.
 */
export const REFERRAL_FRIEND_MAX_PPM = 300_000
export const REFERRER_REWARD_CENTS = 1000

/** How often tires should be rotated, whichever comes first. */
export const ROTATION_ADVICE = { months: 6, miles: 6_000 } as const

/** From the warehouse to a shop or an address in the contiguous states, or to carrier pickup. */
export const DELIVERY_BUSINESS_DAYS = { min: 2, max: 4 } as const
export const TIRES_PULLED_WITHIN_MINUTES = 15
export const WAREHOUSE_PICKUP_READY_HOURS = 24

/** Where shipping is free; elsewhere there is a nominal fee, higher for oversize items. */
export const FREE_SHIPPING_AREA = 'contiguous US'

/** Amounts are stored in its minor unit. */
export const CURRENCY = { code: 'USD', minorUnits: 100 } as const

/** Histogram buckets for request times, in milliseconds. */
export const REQUEST_TIMINGS_MS = [
  50, 100, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000, 15_000,
] as const

/** Log levels as written to the log. */
export const LOG_LEVELS = { error: 200, warn: 300, info: 400 } as const

/** "Buy three get one": one of every four units is free. */
export const BUY_THREE_GET_ONE_UNITS = 4
