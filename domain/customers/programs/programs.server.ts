/** The store's programs (membership, partners, employees and referrals). */
export {
  addEmployer,
  applyAsAffiliate,
  applyAsPartner,
  approvePartner,
  employeeDays,
  findEmployer,
  joinEmployees,
  joinPartner,
  findApplication,
  listApplications,
  listEmployers,
  partnerDays,
  partnerMessageValues,
  refusePartner,
  removeEmployer,
} from './partners.server.ts'
export type { Application } from './partners.sql.server.ts'
export {
  addAccountDocument,
  findAccountDocument,
  listAccountDocuments,
  removeAccountDocument,
  setAccountType,
  typeVersion,
  type AccountDocument,
} from './account-types.server.ts'
export {
  attributeOrder,
  changeOrigins,
  closeWidget,
  countVisit,
  findOwnWidget,
  findScript,
  findWidget,
  keepScript,
  listWidgets,
  noteWidget,
  widgetOwnerEmail,
  type WidgetOwner,
} from './widgets.server.ts'
export {
  bookCommissions,
  listRates,
  readAttributedOrder,
  readWidgetMonths,
  setRate,
  type WidgetMonth,
} from './commission.server.ts'
export { exportApplications } from './partners.sql.server.ts'
export {
  beginMembership,
  captureMembership,
  joinMembership,
  listTerms,
  membershipMessageValues,
  payBackMembership,
  readMembership,
  refundMembership,
  remindOfMemberships,
  setReminders,
  type JoinRefusal,
  type Membership,
} from './membership.server.ts'
export { listOpenMembershipRefunds } from './membership.sql.server.ts'
export { renewMembership, renewMemberships, startRenewal, stopRenewal } from './renewals.server.ts'
export {
  exportRenewals,
  readRenewal,
  readStopLink,
  renewalMessageValues,
  stopByLink,
  type RenewalView,
} from './renewal-view.server.ts'
export {
  cancelReferral,
  claimReferral,
  enterReferralCode,
  findReferralLink,
  inviteFriends,
  noteReferral,
  offerReferral,
  offerVisitorReferral,
  readReferralBoard,
  referralCodeOf,
  inviteMessageValues,
  rewardMessageValues,
  settleReferrals,
  type OpenedLink,
  type Referral,
  type ReferralBoard,
} from './referrals.server.ts'
export { findLinkCode } from './referrals.sql.server.ts'
