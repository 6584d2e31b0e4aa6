/** The programs of the store: referrals. */
export {
  cancelReferral,
  claimReferral,
  findReferralLink,
  inviteFriends,
  noteReferral,
  offerReferral,
  readReferralBoard,
  referralCodeOf,
  referralMessageValues,
  settleReferrals,
  type OpenedLink,
  type Referral,
  type ReferralBoard,
} from './referrals.server.ts'
