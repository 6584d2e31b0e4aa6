/** Messages about memberships, partners and employees, for their pages and the API. */
import type { CouponSaid } from '#content/messages/coupons.ts'
import { paymentUnavailable, processingMessage } from '#content/messages/payments.ts'
import type { MembershipNews } from '#content/paths.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import type { MemberOffer } from '#domain/kernel/rates/rates.ts'
import { formatCents } from '#platform/money.ts'
import { membershipReminderDays, referralLinkDays, type ReferralRefusal } from '#domain/customers/programs/programs.ts'
import { countOf } from '#platform/count-text.ts'

/** Someone sends a referral link to themselves. */
export const ownAddressMessages = 'This is your own address. Your link is for someone else.'

export const membershipNewsMessages: Record<MembershipNews, string> = {
  joined: 'You are a member. Tires with a member price show it to you from now on.',
  'went-back': 'You left the payment page before paying. You haven’t been charged.',
  'too-many-cards': 'You tried many cards in a short time. Wait an hour and try again; nothing is charged.',
  'not-paid': 'The payment didn’t go through. You haven’t been charged. Try again or use another card.',
  processing: processingMessage,
  unavailable: paymentUnavailable,
  refunded: 'Your membership has ended. We’ll refund what you paid to your card.',
  'charge-pending': 'Your payment is being processed right now. Try again in a minute.',
  reminders: 'Saved.',
  renewing: 'Your membership renews. We write to you before each charge.',
  stopped: 'Renewal turned off. You won’t be charged again.',
}

/** Why an account cannot buy a membership or have one refunded. */
export const membershipWords = {
  'has-other-prices':
    'Your account buys at prices that were agreed for it. A membership wouldn’t lower them, so you don’t need one.',
  'too-early': `You are a member. Another year can be bought from ${countOf(membershipReminderDays[0], 'day')} before the end.`,
  used: 'You have ordered at a member price, so the year is yours to the end.',
} as const

/** Which other offers come off the member price, as the store's settings have it. */
export function memberOffersText({ deals, programs, payments }: Readonly<Record<MemberOffer, boolean>>): string {
  const names = [
    ...(deals ? ['deals'] : []),
    ...(programs ? ['one discount program'] : []),
    ...(payments ? ['payment offers'] : []),
  ]
  const [first = ''] = names
  return names.length === 0
    ? 'Other offers don’t combine with the member price. You pay the lower of the two.'
    : `${first.charAt(0).toUpperCase()}${new Intl.ListFormat('en-US').format(names).slice(1)} combine with the member price.`
}

export const codeNotFoundMessage =
  'We couldn’t find this partner code. Check the letters, or ask the partner for the correct code.'
export const manyApplicationsMessages =
  'There were too many applications from your network within the hour. Wait a little, or call us.'

/** Why an account gets no partner or employee price. */
export function otherTermsMessages(phone: string): string {
  return `Your account buys on other terms already. Call ${phone} to change them.`
}

export function noWorkEmailMessages({
  email,
  isEmailVerified,
}: {
  email: string | null
  isEmailVerified: boolean
}): string {
  return isEmailVerified
    ? `${email ?? 'Your email'} is not a work email we know.`
    : 'Your email is not verified yet. Open the link in the email first.'
}

/** For the invited friend; the store discloses no more about the referrer than the link did. */
export const referralRefusalMessages: Readonly<Record<ReferralRefusal, string>> = {
  'link-not-found': 'The referral link is gone, so its discount does not count.',
  'too-old': `The referral link was opened more than ${countOf(referralLinkDays, 'day')} ago, so its discount does not count. Open it again.`,
  'own-link': 'Referrals are for other people. You can’t use your own link.',
  'same-household':
    'Referrals are for other households. The address or phone matches the person who sent the link, so the discount doesn’t apply.',
  'same-card':
    'Referrals are for other households. The person who sent the link has used this card, so the discount doesn’t apply.',
  ring: 'The person who sent you this link was referred by you, directly or through others, so its discount does not count.',
  'not-first-order': 'A referral is for a first order, and you have ordered before, so its discount does not count.',
  'known-household': 'A referral counts once per household, and yours has used this link before.',
}

/** What a friend's referral takes off a price; null where something else saves more. */
export function referralSaid({ program }: PriceBreakdown): CouponSaid | null {
  if (program.kind !== 'referral') return null
  const [next] = program.considered
    .filter(({ kind }) => kind !== 'referral')
    .toSorted((a, b) => a.totalCents - b.totalCents)
  return {
    isUsed: true,
    lead: `Referral: ${formatCents(program.discountCents)} off.`,
    words: next
      ? 'It saves more than your other discount. The two don’t combine.'
      : 'It takes its share off tires that aren’t on sale, on your first order.',
  }
}
