/** Listings at Google Merchant Center. */
export type { Listing } from './merchant-center.port.ts'

export type ListingState = 'listed' | 'waiting' | 'removing' | 'refused'

/** The office list's views. */
export const listingViews = ['problems', 'waiting', 'all'] as const
export type ListingView = (typeof listingViews)[number]

export type ListingCounts = {
  /** Up to date at Google. */
  listed: number
  waiting: number
  refused: number
  /** Sent, and disapproved by Google. */
  disapproved: number
  lastSentAt: Temporal.Instant | null
}

export type ListingSummary = ListingCounts & {
  /** Today's calls to Google, and the most in a day. */
  calls: number
  limit: number
  /** Why Google isn't called until `resumeAt`, in Google's words. */
  pause: { resumeAt: Temporal.Instant; problem: string } | null
}
