/** Limits for the payout hold period an owner can set. Safe in the browser. */
import { INSTALLER_PAID_WITHIN_HOURS } from '#platform/business-constants.ts'

/**
 * The longest hold of a job's pay, in hours. Shops are promised their pay within `INSTALLER_PAID_WITHIN_HOURS` of the job
 * (specification, I4); the two hours left are for the next payout run, and for retries while the provider is unavailable.
 */
export const maxPayHoldHours = INSTALLER_PAID_WITHIN_HOURS - 2
