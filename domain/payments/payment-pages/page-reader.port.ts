import type { Outcome, Refused } from '#platform/outcome.ts'

/** A page as a browser receives it; header names are in lowercase. */
export type ReceivedPage = { status: number; headers: Readonly<Record<string, string>>; html: string }

/** A script of the store, as the build made it. */
export type BuiltScript = {
  /** "/assets/payments-1a2b3c4d.js" */
  address: string
  /** "sha384-…", of its bytes without compression. */
  integrity: string
  bytes: number
  /** What it does, as declared in `scriptPurposes`. */
  purpose: string
  /** The payment pages that load it, as `pageName` calls them. */
  pages: readonly string[]
}

/** Reads the store from outside, as shoppers' browsers do. */
export interface PaymentPageReader {
  /** Requests a page of the store as a visitor with these cookies. Redirects are not followed. */
  page(path: string, cookies: string | null): Promise<Outcome<ReceivedPage, Refused<'unavailable'>>>
  /** The integrity of a script of the store, computed from its bytes. */
  script(address: string): Promise<Outcome<{ integrity: string }, Refused<'unavailable'>>>
  /** The scripts on payment pages, as listed by the build. Null without a build, such as in development. */
  inventory(): Promise<readonly BuiltScript[] | null>
}
