/** Messages to shops about their pay. */

/** The work included in the rate of a tire. A job's payout line has only the rate. */
export const includedInRate =
  'The rate per tire covers mounting, balancing, TPMS service kits, and disposal. There are no extra payments.'

/** Deadlines of disputes. `until` is a time with its zone. */
export const disputeMessages = {
  deadline: (until: string, left: string) => `Send by ${until}: ${left} left`,
  tooLate: (until: string) => `The time to dispute this ended ${until}. Call us instead.`,
  disputed: 'You disputed this already. Our answer is under Disputes.',
} as const
