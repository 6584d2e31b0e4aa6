/** Rate limits of attempts, counted for all processes together. Requests per minute of programs are `CallCounts`. */
import type { Taken } from '#platform/attempts.ts'

/**
 * Each limit's most attempts per key within `minutes` of the first. Counts per `network` and `sender` (a network or a
 * company) are multiplied where many shoppers share one network. `unshared` attempts are counted in each process's
 * memory first, without a query, so several processes allow slightly more.
 */
export const rateLimits = {
  /** Uploaded files, stored or not, because examining a file costs more than storing it. */
  attachment: { counts: { sender: 20 }, minutes: 60 },
  /**
   * Declined cards. Card testers try stolen numbers one after another. A shopper who mistyped one, or is at the card's
   * limit, is done after two or three. A network may be an office, so it gets more.
   */
  'card-decline': { counts: { payer: 5, network: 15 }, minutes: 60 },
  /** New carts. Enough for an office at lunch, far too few to fill a database. Almost every network creates one. */
  cart: { counts: { network: 100 }, minutes: 60, unshared: 5 },
  /** Entered coupon codes. Enough for a household with a drawer of codes, far too few to guess one. */
  coupon: { counts: { network: 20 }, minutes: 60 },
  /** Reads of shops' calendar feeds. Ten devices of a shop stay far below it. */
  'calendar-feed': { counts: { network: 300 }, minutes: 15 },
  /** Lists of VINs for fleet quotes. Each VIN is looked up. */
  'fleet-list': { counts: { company: 20 }, minutes: 24 * 60 },
  /** Codes emailed for an order. With five attempts a code, that is 25 guesses an hour at one in a million each. */
  'order-code': { counts: { order: 5, network: 20 }, minutes: 60 },
  /** Wrong order lookups. Enough for typos, too few to guess one of 41,000 ZIP codes. */
  'order-lookup': { counts: { order: 5, network: 30 }, minutes: 15 },
  /** Documents of purchasing systems with wrong credentials, which are inside the document. */
  'purchasing-document': { counts: { network: 60 }, minutes: 15 },
  /**
   * License plate lookups, which cost money. Enough for a household's vehicles, and for a busy day of the store, counted as
   * one key.
   */
  plate: { counts: { network: 10, store: 1_000 }, minutes: 24 * 60 },
  /** Quote emails. More than a busy salesperson sends in a day, too few to email people who never asked. */
  quote: { counts: { account: 40 }, minutes: 24 * 60 },
  /** Reviews. Enough for a household with several cars, far too few for a campaign. */
  review: { counts: { network: 5 }, minutes: 60 },
  'review-vote': { counts: { network: 60 }, minutes: 10 },
  /** Started sign-ins. The provider protects passwords; this protects the start. */
  'sign-in': { counts: { network: 40 }, minutes: 10 },
  /** Supplier messages with a wrong secret, which is inside the message. */
  'supplier-message': { counts: { network: 20 }, minutes: 15 },
  /** Test emails to one address. Enough to work on a template, too few to fill a mailbox. */
  'test-email': { counts: { email: 20 }, minutes: 60 },
  /** Texts that confirm a phone. Each costs money and may go to a stranger. Enough to correct a mistyped number twice. */
  'text-confirmation': { counts: { account: 3, network: 10 }, minutes: 24 * 60 },
  /** Vehicles looked up at a size source. Enough for a household that compares several trims and years. */
  'vehicle-sizes': { counts: { network: 30 }, minutes: 24 * 60 },
  /** VIN lookups. Enough for a household's vehicles including typos. */
  vin: { counts: { network: 20 }, minutes: 60 },
} as const satisfies Record<string, RateLimit>

export type RateLimit = { counts: Readonly<Record<string, number>>; minutes: number; unshared?: number }
export type RateLimitName = keyof typeof rateLimits
/** The attempt's value of each of the limit's keys; null, such as for an unknown network, isn't counted. */
export type RateLimitKeys<Name extends RateLimitName> = {
  readonly [Key in keyof (typeof rateLimits)[Name]['counts']]: string | number | null
}

/** Counts attempts against `rateLimits`. */
export interface RateLimits {
  /** Counts one attempt per key. Refuses with the longest wait if a key has had too many. */
  take<Name extends RateLimitName>(name: Name, keys: RateLimitKeys<Name>): Promise<Taken>
  /** Returns what `take` would, without counting. */
  look<Name extends RateLimitName>(name: Name, keys: RateLimitKeys<Name>): Promise<Taken>
  /** Takes back a counted attempt, such as one with the right secret. */
  giveBack<Name extends RateLimitName>(name: Name, keys: RateLimitKeys<Name>): Promise<void>
}
