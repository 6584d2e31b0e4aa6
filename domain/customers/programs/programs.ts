/** The parts of the store's programs the browser may use. */
export { gracefulEnd, isMembershipClosed, membershipReminderDays, type NoRefund } from './membership-rules.ts'
export { renewalNoticeDays } from './renewal-rules.ts'
export { invitesADay, referralLinkDays, type ReferralRefusal } from './referral-rules.ts'
export { mostOrigins, widgetIdOf, widgetOffers, widgetSourceOf, widgetVisitDays } from './widgets.ts'
export { percentText, rateForm, rateOn, ratesAfter, type WidgetRate } from './commission.ts'
export { affiliateForm, partnerForm } from './partner-form.ts'
export { inviteForm } from './invite-form.ts'
export { employerForm } from './office-forms.ts'
