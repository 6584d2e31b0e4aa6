/** Who may refer whom. Pure. */

/** How long an opened link counts in that browser, and for the cart it was opened with. */
export const referralLinkDays = 30

/** Mails per account and day. */
export const invitesADay = 10

/** Whether a link opened at `openedAt` still counts at `now`. */
export function isLinkFresh(openedAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(now, openedAt.add({ hours: 24 * referralLinkDays })) < 0
}

/** What identifies a shopper. Emails in lowercase, phones as 10 digits, addresses in the form of `plainAddress`. */
export type Signs = {
  accountIds: readonly string[]
  emails: readonly string[]
  phones: readonly string[]
  addresses: readonly string[]
  cards: readonly string[]
}

export type ReferralRefusal =
  | 'link-not-found'
  | 'too-old'
  | 'own-link'
  | 'same-household'
  | 'same-card'
  | 'ring'
  | 'not-first-order'
  | 'known-household'

/** The input of the referral rules. */
export type ReferralCase = {
  friend: Signs
  /** The friend has an order that was not canceled, by account or email. */
  hasOrdered: boolean
  referrer: Signs
  /** The chain of referrers, from the referrer's own referrer upward. */
  referredBy: readonly Pick<Signs, 'accountIds' | 'emails'>[]
  /** Everyone this referrer referred before. */
  earlierFriends: readonly Signs[]
}

/**
 * Returns why a referral does not count, or null if it does. The same account, email, phone, address or card is the
 * same household; a chain of referrals that leads back to the friend is a ring of any length; a friend must be new to
 * the store.
 */
export function refuseReferral({
  friend,
  hasOrdered,
  referrer,
  referredBy,
  earlierFriends,
}: ReferralCase): ReferralRefusal | null {
  if (share(friend, referrer, 'accountIds') || shareEmail(friend, referrer)) return 'own-link'
  if (share(friend, referrer, 'phones') || share(friend, referrer, 'addresses')) return 'same-household'
  if (share(friend, referrer, 'cards')) return 'same-card'
  if (referredBy.some((earlier) => share(friend, earlier, 'accountIds') || shareEmail(friend, earlier))) return 'ring'
  if (hasOrdered) return 'not-first-order'
  const isKnown = (other: Signs) =>
    shareEmail(friend, other) || (['phones', 'addresses', 'cards'] as const).some((sign) => share(friend, other, sign))
  return earlierFriends.some(isKnown) ? 'known-household' : null
}

/**
 * Returns the sender's first name for an email to friends, if it looks like a name. Our email doesn't include any other
 * user-entered text there.
 */
export function senderName(name: string | null): string | null {
  return /^\p{L}[\p{L}'’-]{0,19}(?=\s|$)/u.exec(name?.trim() ?? '')?.[0] ?? null
}

/**
 * Returns an address's mailbox. The part after a plus is a tag, and one large provider ignores dots. `mailbox_of` in
 * the database does the same.
 */
export function mailboxOf(email: string): string {
  const cut = email.lastIndexOf('@')
  const [name = ''] = email.slice(0, cut).toLowerCase().split('+')
  const host = email.slice(cut + 1).toLowerCase()
  return /^(gmail|googlemail)\.com$/.test(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}

function share<Sign extends keyof Signs>(one: Pick<Signs, Sign>, other: Pick<Signs, Sign>, sign: Sign): boolean {
  return one[sign].some((value) => other[sign].includes(value))
}

function shareEmail(one: Pick<Signs, 'emails'>, other: Pick<Signs, 'emails'>): boolean {
  const mailboxes = new Set(other.emails.map(mailboxOf))
  return one.emails.some((email) => mailboxes.has(mailboxOf(email)))
}
