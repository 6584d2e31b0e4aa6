/** Refusal messages, shared by pages and the API. */
import type { Refused } from '#platform/outcome.ts'

const inACompany = 'Your account is in a company already.'
const ownLimit = 'You cannot raise your own limit. Another owner can, or call us.'
const invitationOver = 'This invitation was accepted, taken back, or is too old.'

/** By action, then by reason. */
export const companyRefusals = {
  apply: { 'in-a-company': inACompany },
  join: { gone: 'This offer is no longer available.', 'in-a-company': inACompany },
  leave: { 'last-owner': 'You are the only owner. Make someone else an owner first.' },
  poRule: { 'not-allowed': 'Only owners change this.' },
  members: {
    'not-allowed': 'Only company owners can do this.',
    'member-already': 'Someone with this email is a member already.',
    'too-many': 'Your company has sent many invitations today. Go on tomorrow, or call us.',
    gone: invitationOver,
    'member-not-found': 'This member was already removed.',
    'last-owner': 'A company needs an owner. Make someone else one first.',
    'own-limit': ownLimit,
  },
  limits: {
    'not-allowed': 'Only company owners can do this.',
    'company-not-found': 'Company not found.',
    'member-not-found': 'This member was already removed.',
    'own-limit': ownLimit,
  },
} as const

/** Why an invitation cannot be accepted. */
export function invitationRefusalMessages(
  refusal: Refused<'gone'> | Refused<'other-address', { email: string }> | Refused<'in-a-company'>,
): string {
  switch (refusal.reason) {
    case 'other-address':
      return `This invitation is for ${refusal.detail.email}. Sign in with that address, verified.`
    case 'in-a-company':
      return `${inACompany} Leave it first.`
    case 'gone':
      return `${invitationOver} Ask for a new one.`
  }
}
