/** The store's account at Google Merchant Center. */
export interface MerchantCenter {
  /** Adds or replaces a listing. */
  put(listing: Listing): Promise<MerchantAnswer<null>>
  /** Removes a listing. A listing that doesn't exist counts as removed. */
  remove(itemId: number): Promise<MerchantAnswer<null>>
  /** Reads a page of the listings with problems. `page` is the `next` of the page before, or null for the first one. */
  readIssues(page: string | null): Promise<MerchantAnswer<IssuePage>>
}

/** A tire's row in the product feed. `fields` are in the feed's format, and `shipping` has one price per region. */
export type Listing = {
  readonly itemId: number
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly shipping: readonly ListingShipping[]
}

/** Without `region` and `postalCode`, such as "995*-999*", the price applies to the rest of the country. */
export type ListingShipping = {
  readonly country: string
  readonly region: string | null
  readonly postalCode: string | null
  readonly price: string
}

/** How a problem affects a listing, from the most to the least severe. */
export const issueSeverities = ['disapproved', 'limited', 'notice'] as const
export type IssueSeverity = (typeof issueSeverities)[number]

/** A problem of a listing in Google's words. `help` is the address of an explanation. */
export type ListingIssue = {
  readonly severity: IssueSeverity
  readonly text: string
  readonly detail: string | null
  readonly help: string | null
}

export type IssuePage = {
  readonly listings: readonly { readonly itemId: number; readonly issues: readonly ListingIssue[] }[]
  readonly next: string | null
}

/**
 * `refused` concerns this listing only. `unavailable` concerns all calls, which may succeed after `retrySeconds`.
 * `message` is Google's explanation.
 */
export type MerchantAnswer<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: 'refused'; message: string }
  | { ok: false; reason: 'unavailable'; message: string; retrySeconds: number }
