/** Referrals and memberships that business terms affect, and how each reads under its terms. */
import {
  beginMembership,
  captureMembership,
  joinMembership,
  membershipMessageValues,
  noteReferral,
  payBackMembership,
  readMembership,
  readReferralBoard,
  referralCodeOf,
  refundMembership,
  settleReferrals,
} from '#domain/customers/programs/programs.server.ts'
import { deliverOrder } from '#domain/ordering/returns/returns.testing.ts'
import { creditOf } from '#domain/payments/ledger/ledger.server.ts'
import { openCharge } from '#domain/payments/payments/payments.server.ts'
import { newId } from '#platform/ids.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { placeOrder } from './checkout.server.ts'
import { agreeTo, cartOf, makeReadyCart, must, payByCard } from './checkout.testing.ts'
import { daysAfter, type TermsStore } from './order-terms.testing.ts'

let people = 0

async function addAccount({ db, clock }: TermsStore, name: string): Promise<string> {
  const id = newId()
  await db
    .insertInto('account')
    .values({ id, name, email: `${id}@example.com`, email_verified_at: clock.now(), created_at: clock.now() })
    .execute()
  return id
}

const cards = ['5555555555554444', '6011111111111117', '4000000000007726', '4242424242424242']

/** The delivered first order of a friend, with its referrer. */
export async function deliverReferred(store: TermsStore, itemId: number) {
  people += 1
  const referrer = await addAccount(store, 'Ray')
  const { id } = await makeReadyCart(store, {
    itemId,
    fulfillment: 'home',
    street: `${1000 + people} N Clark St`,
    phone: `312 555 01${10 + people}`,
  })
  await noteReferral(store, id, { code: await referralCodeOf(store, referrer), openedAt: store.clock.now() })
  const { totalCents, ...input } = await agreeTo(store, await cartOf(store, id))
  await payByCard(store, id, totalCents, cards[people % cards.length])
  const { orderId } = must(await placeOrder(store, input))
  await deliverOrder(store, orderId)
  return { orderId, referrer, delivered: store.clock.now() }
}

/** The referrer's pending reward, and their store credit after the return window. */
export async function rewardOf(
  store: TermsStore,
  { referrer, delivered }: { referrer: string; delivered: Temporal.Instant },
) {
  const { pendingCents } = await readReferralBoard(store, referrer)
  await settleReferrals(daysAfter(store, delivered, 30))
  return { pendingCents, creditCents: await creditOf(store.db, referrer) }
}

/** An account that bought a year of membership. */
export async function joinAsMember(store: TermsStore): Promise<string> {
  const accountId = await addAccount(store, 'Mae')
  const { termId, priceCents } = must(await beginMembership(store, accountId))
  const { clientSecret } = must(await openCharge(store, { termId, amountCents: priceCents, email: null }))
  await payWithFields(store.sandbox, clientSecret, '4242424242424242')
  must(await joinMembership(store, accountId))
  await captureMembership(store, termId)
  return accountId
}

/** A membership's price, email, grace period in days, and refund ten days later. */
export async function membershipOf(store: TermsStore, accountId: string) {
  const membership = await readMembership(store, accountId)
  if (!membership) throw new Error('The membership of a test is gone.')
  const { id, boughtAt, endsAt, priceCents } = membership.term
  const { paid, refundDays } = await membershipMessageValues(store, { key: `membership-begun:${id}` })
  const inGrace = await readMembership(daysAfter(store, endsAt, 20), accountId)
  const refunded = await refundMembership(daysAfter(store, boughtAt, 10), accountId)
  await payBackMembership(store, id)
  const refund = refunded.ok ? (await chargeOf(store, id))?.refunded_cents : refunded.reason
  return { priceCents, paid, refundDays, isInGrace: inGrace?.isInGrace, graceDays: inGrace?.graceDays, refund }
}

const chargeOf = ({ db }: TermsStore, termId: string) =>
  db
    .selectFrom('payment')
    .select('refunded_cents')
    .where('membership_term_id', '=', termId)
    .where('claimed_at', 'is not', null)
    .executeTakeFirst()
