/** The programs of the store, as far as the browser may know them. */
export {
  membershipGraceDays,
  membershipPriceAt,
  membershipRefundDays,
  membershipReminderDays,
  type NoRefund,
} from './membership-rules.ts'
export { invitesADay, referralLinkDays, referralRateAt, type ReferralRefusal } from './referral-rules.ts'
export { partnerForm } from './partner-form.ts'
export { inviteForm } from './invite-form.ts'
