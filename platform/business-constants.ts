/**
 * The numbers of the business: every row of the specification's section 9, said once. Code that charges, books, refuses
 * and measures reads them here, by way of its own domain where that gives them a name, and so does copy. Nothing else
 * may say one of them by hand: `business-constants.test.ts` looks. Amounts are cents, rates are parts per million,
 * spans carry their unit in the name. What nothing charges or pays yet is agreed, and stands in copy.
 */

/**
 * Where layouts change, in CSS pixels of width, and the columns of the grid from there on. Parts of a page may also
 * change in between: the test lists at which widths.
 */
export const BREAKPOINTS_PX = { S: 0, M: 600, L: 976, XL: 1200 } as const
export const GRID_COLUMNS = { S: 4, M: 6, L: 12, XL: 12 } as const

/** How many tires stand beside each other in a comparison. */
export const COMPARED_TIRES = { min: 2, max: 5 } as const

/** How many tires a listing, and the guided questions, recommend. */
export const TOP_PICKS = 5

/** How long after placing it an order can be canceled. */
export const CANCEL_WITHIN_MINUTES = 30

/**
 * Returns of unmounted tires, counted from delivery, and the handling fee where one is due (none when the right size is
 * ordered again or we said that it fits).
 */
export const RETURN_WINDOW_DAYS = 30
export const RETURN_HANDLING_FEE_CENTS = 2000
/** How soon after the tires came back. */
export const REFUND_WITHIN_HOURS = 48

/** How far ahead a time at a shop can be taken, and from which hour of the day an evening drop-off is. */
export const BOOKABLE_DAYS_AHEAD = 30
export const EVENING_DROP_OFF_FROM_HOUR = 16

/** Replacement coverage: what is paid toward a new tire in the first, second and third year, and toward one repair. */
export const REPLACEMENT_COVERAGE = { months: 36, capCentsByYear: [40_000, 20_000, 10_000], repairCents: 2500 } as const

/**
 * The road hazard plan sold under an installer's name instead: all of it in year one, half of the tire's price in year
 * two, labor never.
 */
export const ROAD_HAZARD_PLAN = { months: 24, customerPaysPpmByYear: [0, 500_000] } as const

/** Roadside assistance is sold once per order, and only with this many tires plus installation. */
export const ROADSIDE_MONTHS = 12
export const ROADSIDE_FROM_TIRES = 4

/** 5 % off tires for customers whose service was verified. */
export const MILITARY_DISCOUNT_PPM = 50_000

/** $25 off installation, once, when the cart has this many tires and installation. */
export const INSTALL_DISCOUNT_CENTS = 2500
export const INSTALL_DISCOUNT_FROM_TIRES = 4

/** What a shop is paid per tire it installs, and how soon after the installation. */
export const INSTALLER_PAY_PER_TIRE_CENTS = { min: 1500, max: 2400 } as const
export const INSTALLER_PAID_WITHIN_HOURS = 48

/** When people answer the phone: whole hours in New York, by the days of the week (1 is Monday). */
export const SUPPORT_HOURS = [
  { weekdays: [1, 2, 3, 4, 5], opensHour: 8, closesHour: 19 },
  { weekdays: [6], opensHour: 9, closesHour: 17 },
] as const

/** How long a browser stays signed in: 30 days. */
export const SIGN_IN_SECONDS = 2_592_000

/** How long the random text is that ties an answer of the sign-in service to its question. */
export const CSRF_STATE_CHARACTERS = 32

/** 1MB, the most a picture or another file may have that somebody sends. */
export const UPLOAD_MAX_BYTES = 1024 * 1024

/** From how many tenths on a tire's score is called so; the lower bound belongs to the band. */
export const SCORE_BANDS = [
  ['Excellent', 90],
  ['Great', 80],
  ['Good', 70],
] as const
export const SCORE_MAX_TENTHS = 100

/** Tires that carry more than this owe federal excise tax (26 U.S.C. 4071(a)). */
export const EXCISE_FREE_LOAD_LB = 3500

/** Daily deals take at most 20 % off. */
export const DAILY_DEAL_MAX_PPM = 200_000

/** Paying later takes a share off the whole order; each offer of a lender says how much. */
export const PAY_LATER_OFFER = { off: 'entire order', ratePpm: 'variable' } as const

/** The store's own card takes 5 % off a first purchase. */
export const STORE_CARD_FIRST_PURCHASE_PPM = 50_000

/**
 * A referred friend gets at most 30 % off; the referrer gets $10 of account credit after the return window, never off a
 * price.
 */
export const REFERRAL_FRIEND_MAX_PPM = 300_000
export const REFERRER_REWARD_CENTS = 1000

/** How often tires should change places, whichever comes first. */
export const ROTATION_ADVICE = { months: 6, miles: 6_000 } as const

/** From the warehouse to a shop or an address in the contiguous states, and to who fetches them at a warehouse. */
export const DELIVERY_BUSINESS_DAYS = { min: 2, max: 4 } as const
export const TIRES_PULLED_WITHIN_MINUTES = 15
export const WAREHOUSE_PICKUP_READY_HOURS = 24

/** Where shipping costs nothing; elsewhere it is a nominal fee, more for what is oversize. */
export const FREE_SHIPPING_AREA = 'contiguous US'

/** Amounts are held in hundredths of it. */
export const CURRENCY = { code: 'USD', minorUnits: 100 } as const

/** The bounds by which request times are counted, in milliseconds. */
export const REQUEST_TIMINGS_MS = [
  50, 100, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000, 15_000,
] as const

/** What log levels are called in a line of the log. */
export const LOG_LEVELS = { error: 200, warn: 300, info: 400 } as const

/** Of every four units, "buy three get one" frees one. */
export const BUY_THREE_GET_ONE_UNITS = 4
