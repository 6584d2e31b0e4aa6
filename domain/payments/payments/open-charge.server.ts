/** Opens charges, in the provider's fields or on its page. A cart or membership term has one charge at a time. */
import { isClosedTo } from '#domain/kernel/settings/settings.server.ts'
import type { ChargedMethod } from '#domain/payments/payment-methods/payment-methods.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { takesCard } from './charge-states.ts'
import { noteUnanswered } from './payment-notes.sql.server.ts'
import type { OrderToPay, PaymentProvider } from './payment-provider.port.ts'
import type { InBrowserMethod, Payer, Payment } from './payments.ts'
import {
  findLivePayment,
  hasHostedPageSince,
  insertPayment,
  movePayment,
  setProviderRef,
} from './payments.sql.server.ts'

type Deps = { db: Database; clock: Clock; payments: PaymentProvider }
type ChargeDeps = Deps & Parameters<typeof isClosedTo>[0]

/** `store-closed`: only staff pay before the store opens. */
export type PaymentTrouble =
  | Refused<'payment-unavailable'>
  | Refused<'declined', { message: string }>
  | Refused<'store-closed'>

/**
 * Opens a charge of `amountCents` for the provider's fields or a wallet, or continues the open one at the new amount. A
 * cart or membership term has one charge at a time. A charge with a different method or payment flow is voided. `from`
 * is a key of the network, for counting declined cards.
 */
export async function openCharge(
  deps: ChargeDeps,
  input: FieldsCharge,
): Promise<Outcome<ChargeInFields, PaymentTrouble>> {
  const opened = await openBeside(deps, input)
  if (!opened.ok) return opened
  const { replaced, ...charge } = opened.value
  if (replaced) await voidUnclaimed(deps, replaced, 'shopper')
  return ok(charge)
}

/**
 * Opens a charge like `openCharge`, for a page rendered at `shownAt`. Refuses `superseded` if the shopper opened the
 * provider's page after that. A late request of the page would otherwise close it.
 */
export async function openChargeOnPage(
  deps: ChargeDeps,
  input: FieldsCharge,
  shownAt: Temporal.Instant,
): Promise<Outcome<ChargeInFields, PaymentTrouble | Refused<'superseded'>>> {
  const opened = await openBeside(deps, input)
  if (!opened.ok) return opened
  const { replaced, ...charge } = opened.value
  const isSuperseded = await hasHostedPageSince(deps.db, input, shownAt)
  const unwanted = isSuperseded ? charge.payment : replaced
  if (unwanted) await voidUnclaimed(deps, unwanted, 'shopper')
  return isSuperseded ? refused('superseded') : ok(charge)
}

type FieldsCharge = Payer & { amountCents: number; email: string | null; from?: string; method?: InBrowserMethod }

/** Opens a charge, or continues the open one. `replaced` is the earlier charge that the caller voids. */
async function openBeside(
  deps: ChargeDeps,
  input: FieldsCharge,
): Promise<Outcome<ChargeInFields & { replaced?: Payment | undefined }, PaymentTrouble>> {
  const { method = 'card' } = input
  if (await isRefusedPayer(deps, input)) return refused('store-closed')
  const live = await findLivePayment(deps.db, input)
  const open = live?.method === method ? await goOnWithCharge(deps, live, input.amountCents) : undefined
  if (open) return open
  const id = newId()
  await insertPayment(deps.db, {
    id,
    payer: input,
    method,
    flow: 'fields',
    amountCents: input.amountCents,
    from: input.from ?? null,
    at: deps.clock.now(),
  })
  const opened = await deps.payments.openCharge({
    amountCents: input.amountCents,
    reference: id,
    email: input.email,
    key: `open:${id}`,
  })
  if (!opened.ok)
    return opened.reason === 'declined'
      ? refused('declined', { message: opened.message })
      : refused('payment-unavailable')
  await setProviderRef(deps.db, id, { ref: opened.value.ref }, deps.clock.now())
  return ok({
    replaced: live,
    payment: {
      id,
      orderId: null,
      method,
      flow: 'fields',
      providerRef: opened.value.ref,
      hostedRef: null,
      amountCents: input.amountCents,
      refundedCents: 0,
      state: 'pending',
      savesCard: false,
      card: null,
      processingSince: null,
    },
    clientSecret: opened.value.clientSecret,
  })
}

/** Whether the store takes no payment of this visitor yet. A change belongs to an order that was placed: it is paid. */
async function isRefusedPayer(deps: ChargeDeps, payer: Payer): Promise<boolean> {
  return !('changeId' in payer) && isClosedTo(deps, deps.db)
}

/** A charge open for a card in the provider's fields, and the secret the fields need. */
type ChargeInFields = { payment: Payment; clientSecret: string }

/** The charge open in the provider's fields, at its new amount; undefined if it cannot take a card. */
async function goOnWithCharge(
  deps: Deps,
  live: Payment,
  amountCents: number,
): Promise<Outcome<ChargeInFields, Refused<'payment-unavailable'>> | undefined> {
  if (live.flow !== 'fields' || !live.providerRef || live.state === 'authorized') return undefined
  const isSameAmount = live.amountCents === amountCents
  const charge = isSameAmount
    ? await deps.payments.readCharge(live.providerRef)
    : await deps.payments.changeAmount({
        ref: live.providerRef,
        amountCents,
        key: `amount:${live.id}:${amountCents}`,
      })
  if (!charge.ok) return charge.reason === 'unavailable' ? refused('payment-unavailable') : undefined
  if (!takesCard(charge.value) || !charge.value.clientSecret) return undefined
  if (!isSameAmount) await setProviderRef(deps.db, live.id, { amountCents }, deps.clock.now())
  return ok({ payment: { ...live, amountCents }, clientSecret: charge.value.clientSecret })
}

/**
 * Opens the provider's own page for `amountCents`, by card unless `method` is another; the shopper returns to `returnUrl`, in which `{payment}` is replaced
 * by our key.
 */
export async function openHostedPage(
  deps: ChargeDeps,
  input: Payer & {
    amountCents: number
    email: string | null
    from?: string
    description: string
    returnUrl: string
    cancelUrl: string
    method?: ChargedMethod
    order?: OrderToPay
    /** The provider's customer for whom the card is saved. */
    customerRef?: string
  },
): Promise<Outcome<{ paymentId: string; url: string }, PaymentTrouble>> {
  if (await isRefusedPayer(deps, input)) return refused('store-closed')
  const live = await findLivePayment(deps.db, input)
  const { method = 'card', order = null } = input
  const id = newId()
  await insertPayment(deps.db, {
    id,
    payer: input,
    method,
    flow: 'hosted',
    amountCents: input.amountCents,
    from: input.from ?? null,
    savesCard: input.customerRef !== undefined,
    at: deps.clock.now(),
  })
  const before = deps.payments.refBefore?.({ method, reference: id })
  if (before !== undefined) await setProviderRef(deps.db, id, { hostedRef: before }, deps.clock.now())
  const opened = await deps.payments.openHostedPage({
    ...input,
    method,
    order,
    returnUrl: input.returnUrl.replace('{payment}', id),
    reference: id,
    key: `hosted:${id}`,
  })
  if (!opened.ok && opened.reason === 'declined') return refused('declined', { message: opened.message })
  if (!opened.ok) {
    await noteUnanswered(deps.db, id, deps.clock.now())
    return refused('payment-unavailable')
  }
  await setProviderRef(deps.db, id, { hostedRef: opened.value.hostedRef }, deps.clock.now())
  if (live) await voidUnclaimed(deps, live, 'shopper')
  return ok({ paymentId: id, url: opened.value.url })
}

/**
 * Voids an unclaimed charge. The local state changes immediately, so that an order can't claim it, and a job enqueued
 * in the same transaction voids it at the provider. A charge that an order claimed first isn't voided.
 */
export async function voidUnclaimed(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  payment: Payment,
  actor: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const isOurs = await movePayment(tx, payment.id, 'voided', { actor, at: clock.now(), unclaimed: true })
    if (isOurs) await enqueue(tx, 'void-charge', { paymentId: payment.id }, { key: `void-charge:${payment.id}` })
  })
}
