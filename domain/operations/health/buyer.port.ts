/** Buys as a stranger would, to see that the store sells. */
export type SyntheticBuyer = {
  /** Buys, cancels, and returns each step's duration; never throws for errors of the store. */
  buy(): Promise<SyntheticResult>
}

export type SyntheticResult = {
  /** In order; of a failed purchase the last one is that which failed. */
  steps: readonly { step: string; ms: number }[]
  /** Null for a purchase that was placed and canceled. */
  failedStep: string | null
  /** What went wrong, for the log. */
  why: string | null
  /** The order, once it was placed. */
  orderId: number | null
}
