/** The programs of the store, as far as the browser may know them. */
export { invitesADay, referralLinkDays, referralRateAt, referralRefusalWords, type ReferralRefusal } from './referral-rules.ts'
export { inviteForm } from './invite-form.ts'
