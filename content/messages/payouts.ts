/** Messages to shops about their pay. */

/** The work included in the rate of a tire. A job's payout line has only the rate. */
export const includedInRate =
  'The rate per tire covers mounting, balancing, TPMS service kits, and disposal. There are no extra payments.'
