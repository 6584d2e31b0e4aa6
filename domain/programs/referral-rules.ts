/** Who may refer whom, and what a friend gets off. Pure. */
import { REFERRAL_FRIEND_MAX_PPM } from '#platform/business-constants.ts'
import { storeDay } from '#platform/store-zone.ts'

/** How long a link that was opened counts in that browser, and for the cart it was opened with. */
export const referralLinkDays = 30

/** Mails one account may send a day. */
export const invitesADay = 10

/** What a friend gets off the tires, by the day the link is opened; each row holds until the next begins. */
export const referralRates: readonly { from: string; ratePpm: number }[] = [
  { from: '2026-01-01', ratePpm: 100_000 },
  // The week of Black Friday and Cyber Monday.
  { from: '2026-11-23', ratePpm: REFERRAL_FRIEND_MAX_PPM },
  { from: '2026-12-01', ratePpm: 100_000 },
]

/** What a link opened at `openedAt` takes off the tires, in parts per million; 0 before the program began. */
export function referralRateAt(openedAt: Temporal.Instant): number {
  const day = storeDay(openedAt).toString()
  return referralRates.findLast(({ from }) => from <= day)?.ratePpm ?? 0
}

/** Whether a link opened at `openedAt` still counts at `now`. */
export function isLinkFresh(openedAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(now, openedAt.add({ hours: 24 * referralLinkDays })) < 0
}

/**
 * By what a shopper can be known again. Emails in lower case, phones as 10 digits, addresses as `addressKey` writes
 * them.
 */
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

/** What the law of referrals looks at. */
export type ReferralCase = {
  friend: Signs
  /** The friend has an order that was not canceled, by account or email. */
  hasOrdered: boolean
  referrer: Signs
  /** Who referred the referrer, who referred that one, and so on. */
  referredBy: readonly Pick<Signs, 'accountIds' | 'emails'>[]
  /** Everybody who was referred by this referrer before. */
  earlierFriends: readonly Signs[]
}

/**
 * Why a referral does not count, or null when it does. The same account, email, phone, address or card is the same
 * household; a chain of referrals that leads back to the friend is a ring, however long it is; a friend is new to the
 * store.
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
 * What a friend is told who sends the link: the first name, where it reads like one. Whatever else people call
 * themselves is no text for a mail of ours.
 */
export function senderName(name: string | null): string | null {
  return /^\p{L}[\p{L}'’-]{0,19}(?=\s|$)/u.exec(name?.trim() ?? '')?.[0] ?? null
}

/**
 * The mailbox an address leads to: what follows a plus is the owner's own mark, and one large provider ignores dots.
 * The database has the same, `mailbox_of`.
 */
export function mailboxOf(email: string): string {
  const cut = email.lastIndexOf('@')
  const [name = ''] = email.slice(0, cut).toLowerCase().split('+')
  const host = email.slice(cut + 1).toLowerCase()
  return /^(gmail|googlemail)\.com$/.test(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}

/** One spelling of a street address, with the apartment: letters and digits only, common words of streets cut short. */
export function addressKey({
  address1,
  address2,
  zip,
}: {
  address1: string
  address2: string | null
  zip: string
}): string {
  const words = `${address1} ${address2 ?? ''}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return `${words.map((word) => streetWords[word] ?? word).join(' ')} ${zip.slice(0, 5)}`
}

const streetWords: Readonly<Record<string, string>> = {
  street: 'st',
  avenue: 'ave',
  road: 'rd',
  drive: 'dr',
  lane: 'ln',
  court: 'ct',
  place: 'pl',
  boulevard: 'blvd',
  parkway: 'pkwy',
  highway: 'hwy',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  apartment: 'apt',
  unit: 'apt',
  suite: 'apt',
}

function share<Sign extends keyof Signs>(one: Pick<Signs, Sign>, other: Pick<Signs, Sign>, sign: Sign): boolean {
  return one[sign].some((value) => other[sign].includes(value))
}

function shareEmail(one: Pick<Signs, 'emails'>, other: Pick<Signs, 'emails'>): boolean {
  const mailboxes = new Set(other.emails.map(mailboxOf))
  return one.emails.some((email) => mailboxes.has(mailboxOf(email)))
}
