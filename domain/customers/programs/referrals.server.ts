/**
 * Referrals, with an account's link, friends who use it, and the reward after their return period. A friend's discount
 * is a pricing program (step 3). The reward is store credit and never part of a price.
 */
import { paths } from '#content/paths.ts'
import { randomInt } from 'node:crypto'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { setReferral } from '#domain/payments/cart/cart.server.ts'
import { creditOf, enterTransfer } from '#domain/payments/ledger/ledger.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { queueMessage, stoppedAmong } from '#domain/messaging/messages/messages.server.ts'
import { type ProgramOffer } from '#domain/pricing/pricing/pricing.ts'
import {
  invitesADay,
  isLinkFresh,
  mailboxOf,
  refuseReferral,
  senderName,
  type ReferralRefusal,
} from './referral-rules.ts'
import {
  countInvites,
  insertInvites,
  insertReferral,
  insertReferralLink,
  isLink,
  lockInviter,
  lockReferrals,
  selectDue,
  selectInviter,
  selectInvites,
  findLinkCode,
  selectLinkOwner,
  selectOpenCart,
  selectReferralCase,
  selectReferredOrders,
  selectReward,
  settleReferral,
} from './referrals.sql.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }
/** Deps with the terms, for the friend's discount at the time a link was opened. */
type RateDeps = Deps & { businessTerms: Pick<LiveTerms, 'at'> }

/** A link opened in a browser. */
export type OpenedLink = { code: string; openedAt: Temporal.Instant }

/** Returns the code of an account's link, made on first use. */
export async function referralCodeOf({ db, clock }: Deps, accountId: string): Promise<string> {
  const known = await findLinkCode(db, accountId)
  if (known !== undefined) return known
  await insertReferralLink(db, { accountId, code: newCode(), at: clock.now() })
  // Of two simultaneous first requests, both get the code that was made.
  const made = await findLinkCode(db, accountId)
  if (made === undefined) throw new Error('A referral link was neither found nor made.')
  return made
}

/** Easy to read aloud, without letters that look like digits. */
const codeLetters = 'abcdefghjkmnpqrstuvwxyz23456789'

function newCode(): string {
  return Array.from({ length: 10 }, () => codeLetters[randomInt(codeLetters.length)]).join('')
}

/**
 * Returns a link's owner, by first name if it can be shown, and today's discount; undefined if the link doesn't exist.
 */
export async function findReferralLink(
  { db, clock, businessTerms }: RateDeps,
  code: string,
): Promise<{ accountId: string; name: string | null; ratePpm: number } | undefined> {
  const row = await selectLinkOwner(db, code)
  const ratePpm = businessTerms.at(clock.now())['friend-ppm']
  return row && { accountId: row.accountId, name: senderName(row.name), ratePpm }
}

/** Records the referral link in an open cart. The last opened link counts; unknown links are ignored. */
export function noteReferral({ db }: Pick<Deps, 'db'>, cartId: string, link: OpenedLink): Promise<void> {
  return setReferral(db, cartId, link, isLink(link.code))
}

/**
 * Treats a code a shopper entered as a friend's link code, and records it in their open cart as if they had opened the
 * link. `accountId` and `ownCode` identify the shopper, as far as known, because self-referrals aren't allowed.
 */
export async function enterReferralCode(
  deps: RateDeps,
  {
    cartId,
    code: typed,
    accountId,
    ownCode,
  }: { cartId: string; code: string; accountId: string | null; ownCode: string | undefined },
): Promise<Outcome<OpenedLink, Refused<'link-not-found'> | Refused<'own-link'>>> {
  const code = typed.toLowerCase()
  const link = await findReferralLink(deps, code)
  if (!link) return refused('link-not-found')
  if (link.accountId === accountId || ownCode === code) return refused('own-link')
  const opened = { code, openedAt: deps.clock.now() }
  await noteReferral(deps, cartId, opened)
  return ok(opened)
}

/**
 * Returns the discount of a cart's referral, or the reason it doesn't count; undefined for a cart without a referral.
 * Two queries, or zero without a referral.
 */
export async function offerReferral(
  { db, clock, businessTerms }: RateDeps,
  { id, referral }: Pick<Cart, 'id' | 'referral'>,
): Promise<Outcome<ProgramOffer, Refused<ReferralRefusal>> | undefined> {
  if (!referral) return undefined
  const judged = await judge({ db, businessTerms }, { cartId: id, referral, orderId: null, now: clock.now() })
  return judged.ok ? ok({ kind: 'referral', id: referral.code, ratePpm: judged.value.ratePpm }) : judged
}

/**
 * Returns the discount a visitor's cart gets from a friend's link, for prices outside the cart; undefined without a
 * link or if it doesn't count. Uses the last opened link, from this browser (`opened`) or the visitor's open cart,
 * consistent with what adding tires records in the cart. Up to three queries, or zero without a cart and a link.
 */
export async function offerVisitorReferral(
  { db, clock, businessTerms }: RateDeps,
  {
    cartId,
    accountId,
    opened,
  }: { cartId: string | undefined; accountId: string | null; opened: OpenedLink | undefined },
): Promise<Extract<ProgramOffer, { kind: 'referral' }> | undefined> {
  const cart = cartId === undefined ? undefined : await selectOpenCart(db, { cartId, accountId })
  const links = [opened, cart?.referral].filter((link) => link !== undefined && link !== null)
  const [referral] = links.toSorted((a, b) => Temporal.Instant.compare(b.openedAt, a.openedAt))
  if (!referral) return undefined
  const friend = { cartId: cart ? (cartId ?? null) : null, accountId }
  const judged = await judge({ db, businessTerms }, { ...friend, referral, orderId: null, now: clock.now() })
  return judged.ok ? { kind: 'referral', id: referral.code, ratePpm: judged.value.ratePpm } : undefined
}

/**
 * Assigns the order being placed to the shopper's referrer, in the transaction of `db`. False if the referral no longer
 * counts, because the friend has ordered elsewhere, or the two would refer each other.
 */
export async function claimReferral(
  { db, clock, businessTerms }: RateDeps & { db: Tx },
  { cart, orderId }: { cart: Cart; orderId: number },
): Promise<boolean> {
  const { referral } = cart
  if (!referral) return false
  await lockReferrals(db)
  const now = clock.now()
  const judged = await judge({ db, businessTerms }, { cartId: cart.id, referral, orderId, now })
  return judged.ok && insertReferral(db, { orderId, ...judged.value, at: now })
}

async function judge(
  { db, businessTerms }: Pick<RateDeps, 'db' | 'businessTerms'>,
  {
    cartId,
    accountId = null,
    referral,
    orderId,
    now,
  }: {
    cartId: string | null
    accountId?: string | null
    referral: OpenedLink
    orderId: number | null
    now: Temporal.Instant
  },
): Promise<Outcome<{ referrerId: string; ratePpm: number }, Refused<ReferralRefusal>>> {
  if (!isLinkFresh(referral.openedAt, now)) return refused('too-old')
  const found = await selectReferralCase(db, { code: referral.code, cartId, accountId, orderId })
  if (!found) return refused('link-not-found')
  const refusal = refuseReferral(found)
  if (refusal) return refused(refusal)
  return ok({ referrerId: found.referrerId, ratePpm: businessTerms.at(referral.openedAt)['friend-ppm'] })
}

/** Cancels the referral of a canceled order, which pays no reward; its shopper may use a link again. */
export async function cancelReferral(tx: Tx, orderId: number, at: Temporal.Instant): Promise<void> {
  await settleReferral(tx, orderId, 'canceled', at)
}

/**
 * Credits rewards after their return period. Returns the number of rewards; each is credited once, however often this
 * runs.
 */
export async function settleReferrals({ db, clock }: Deps): Promise<number> {
  const now = clock.now()
  const due = await selectDue(db, now)
  let credited = 0
  for (const orderId of due) if (await db.transaction().execute((tx) => credit(tx, orderId, now))) credited += 1
  return credited
}

async function credit(tx: Tx, orderId: number, at: Temporal.Instant): Promise<boolean> {
  const settled = await settleReferral(tx, orderId, 'earned', at)
  if (!settled?.referrerId) return false
  await enterTransfer(tx, {
    orderId,
    reason: 'referral reward',
    at,
    entries: [
      { account: 'referral-rewards', cents: settled.rewardCents },
      { account: 'store-credit', cents: -settled.rewardCents, ownerId: settled.referrerId },
    ],
  })
  if (settled.email !== null)
    await queueMessage(tx, {
      kind: 'referral-earned',
      key: `referral-earned:${orderId}`,
      to: settled.email,
      orderId: null,
      at,
    })
  return true
}

/**
 * Mails an account's link to friends, each once; skips those already invited by this account, or who opted out. Refuses
 * more than `invitesADay`, and `own-address` for a mailbox of the owner's.
 */
export async function inviteFriends(
  { db, clock }: Deps,
  { accountId, emails }: { accountId: string; emails: readonly string[] },
): Promise<Outcome<{ sent: number }, Refused<'too-many'> | Refused<'own-address'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    // One at a time per account, so that simultaneous submissions are counted together.
    const email = await lockInviter(tx, accountId)
    const own = email ? mailboxOf(email) : null
    if (emails.some((email) => mailboxOf(email) === own)) return refused('own-address')
    const count = await countInvites(tx, accountId, at.subtract({ hours: 24 }))
    if (count + emails.length > invitesADay) return refused('too-many')
    // Addresses that opted out are not recorded as invited.
    const stopped = await stoppedAmong(tx, 'referral-invite', emails)
    const wanted = emails.filter((email) => !stopped.has(email))
    if (wanted.length === 0) return ok({ sent: 0 })
    const sent = await insertInvites(tx, accountId, wanted, at)
    for (const { id, email } of sent)
      await queueMessage(tx, { kind: 'referral-invite', key: `referral-invite:${id}`, to: email, orderId: null, at })
    return ok({ sent: sent.length })
  })
}

/**
 * `who` is the address the owner invited, or null for a friend who used only the link. `dueOn` is the earliest day the
 * reward is credited.
 */
export type Referral = {
  who: string | null
  invitedAt: Temporal.Instant | null
  state: 'invited' | 'pending' | 'earned' | 'canceled'
  dueAt: Temporal.Instant | null
}

export type ReferralBoard = { referrals: Referral[]; pendingCents: number; earnedCents: number; creditCents: number }

/** Returns the invitations, orders, and rewards from an account's link. Friends' orders appear without details. */
export async function readReferralBoard({ db }: Pick<Deps, 'db'>, accountId: string): Promise<ReferralBoard> {
  const invites = await selectInvites(db, accountId)
  const orders = await selectReferredOrders(db, accountId)
  const sentTo = new Map(invites.map((invite) => [invite.email, invite.sentAt]))
  const ordered = new Set(orders.map(({ email }) => email.toLowerCase()))
  const sumOf = (state: Referral['state']) =>
    orders.reduce((sum, order) => sum + (order.state === state ? order.rewardCents : 0), 0)
  return {
    referrals: [
      ...orders.map(({ email, state, deliveredAt, returnDays }) => {
        const invitedAt = sentTo.get(email.toLowerCase()) ?? null
        const dueAt = state === 'pending' && deliveredAt ? deliveredAt.add({ hours: 24 * returnDays }) : null
        return { who: invitedAt === null ? null : email, invitedAt, state, dueAt }
      }),
      ...invites
        .filter(({ email }) => !ordered.has(email))
        .map(({ email, sentAt: invitedAt }) => ({ who: email, invitedAt, state: 'invited' as const, dueAt: null })),
    ],
    pendingCents: sumOf('pending'),
    earnedCents: sumOf('earned'),
    creditCents: await creditOf(db, accountId),
  }
}

/** Returns the values of the mail about an earned reward. */
export async function rewardMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'web' | 'store'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [referralId = ''] = keyParts(key)
  return {
    reward: formatCents(await selectReward(db, Number(referralId))),
    dashboardUrl: config.web.origin + paths.advocateDashboard(),
    phone: config.store.phone,
  }
}

/** Returns the values of a friend's invitation. */
export async function inviteMessageValues(
  { db, clock, businessTerms, config }: RateDeps & { config: Pick<Config, 'web' | 'store'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const row = await selectInviter(db, id)
  return {
    friend: senderName(row?.name ?? null) ?? 'A friend',
    store: config.store.name,
    percent: formatRate(businessTerms.at(clock.now())['friend-ppm']),
    inviteUrl: config.web.origin + paths.invite(row?.code ?? undefined),
  }
}
