/** What shops read about how they are paid. */

/** What the rate of a tire covers. The payout line of a job has nothing else. */
export const includedInRate =
  'The rate per tire covers mounting, balancing, TPMS service kits, and disposal. There are no extra payments.'
