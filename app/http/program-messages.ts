/** What is said about memberships, partners and employees, on their pages and over the API. */
import type { MembershipNews } from '#app/paths.ts'
import { membershipReminderDays } from '#domain/programs/programs.ts'

/** Somebody sends the link for friends to themselves. */
export const ownAddressMessages = 'This is your own address. Your link is for somebody else.'

export const membershipNewsMessages: Record<MembershipNews, string> = {
  joined: 'You are a member. Tires with a member price show it to you from now on.',
  'went-back': 'You came back without paying. Nothing is charged.',
  'too-many-cards': 'You tried many cards in a short time. Wait an hour and try again; nothing is charged.',
  'not-paid': 'The payment did not go through, and nothing is charged. Try again or use another card.',
  processing:
    'Your payment is processing... please check for your email confirmation. If that does not arrive in 30 mins, please contact customer service',
  unavailable: "We're sorry, the payment was not able to be processed. Please try again or use another payment method.",
  refunded: 'Your membership is over and your money is on its way back to your card.',
  'charge-pending': 'Your payment is being taken at this moment. Try again in a minute.',
  reminders: 'Saved.',
}

/** Why no membership is sold to an account, and none is given back. */
export const membershipWords = {
  'has-other-prices':
    'Your account buys at prices that were agreed for it. A membership would add nothing, so we do not sell you one.',
  'too-early': `You are a member. Another year can be bought from ${membershipReminderDays[0]} days before the end.`,
  used: 'You have ordered at a member price, so the year is yours to the end.',
} as const

export const codeNotFoundMessage = 'No partner has this code. Look at the letters again, or ask whoever gave it to you.'
export const manyApplicationsMessages =
  'There were many applications from your network within the hour. Wait a little, or call us.'

/** Why an account gets no price of a partner or an employer. */
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
    : 'Your email is not verified yet. Open the link in the mail first.'
}
