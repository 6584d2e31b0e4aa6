/**
 * Sends due payouts. Commits the intent before it calls the provider, and repeats the call with the same key after a
 * crash, so that transfers are neither duplicated nor lost.
 */
import { findPaidShop, listShopOwners } from '#domain/scheduling/installers/installers.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import type { PayoutProvider, TransferView } from './payout-provider.port.ts'
import {
  claimTransfer,
  hasIntended,
  insertReversal,
  insertTransfer,
  insertWait,
  lockReadyAccount,
  lockTransfer,
  selectDueItems,
  selectIntended,
  selectRefusedTransfers,
  selectShopsDue,
  updateToRefused,
  updateToSent,
  type ShopDue,
  type Transfer,
} from './transfers.sql.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; payouts: PayoutProvider; log: Pick<Log, 'warn'> }

/** The provider stores an idempotency key for a day; after that, a transfer is looked up before a retry. */
const keyHours = 20
/** Longer than a call with its retries, during which no other process sends the same transfer. */
const claimMinutes = 4

/** After the first refusal of a transfer; doubled by each further one. */
const waitMinutes = 15
const longestWaitMinutes = 24 * 60

/**
 * Sends each shop with a ready account its due amount in one transfer. A shop with a negative balance carries it over.
 * A shop without an account isn't paid yet, and its owners are notified once. Refused transfers are retried with
 * increasing delays. Meant to run periodically.
 */
export async function sendDuePayouts(deps: Deps): Promise<void> {
  for (const transfer of await selectIntended(deps.db)) await carryOut(deps, transfer)
  for (const due of await selectShopsDue(deps.db, deps.clock.now())) {
    const { shopId, isReady } = due
    if (!isReady) await tellThatPayWaits(deps, shopId)
    else if (!waitsAfterRefusal(due, deps.clock.now())) {
      const transfer = await intendTransfer(deps, shopId)
      if (transfer) await carryOut(deps, transfer)
    }
  }
}

/** Returns whether it is too early to retry. An account update may have fixed the reason for the refusal. */
function waitsAfterRefusal({ refusals, refusedAt, accountReadAt }: ShopDue, now: Temporal.Instant): boolean {
  if (refusedAt === null) return false
  if (accountReadAt && Temporal.Instant.compare(accountReadAt, refusedAt) > 0) return false
  const minutes = Math.min(waitMinutes * 2 ** Math.min(refusals - 1, 10), longestWaitMinutes)
  return Temporal.Instant.compare(now, refusedAt.add({ minutes })) < 0
}

/**
 * Sends a shop its due amount immediately, even shortly after a refusal. Refuses with `nothing-due`, also during a
 * transfer or without a ready account, and with `refused` and the provider's message.
 */
export async function sendPayNow(
  deps: Deps,
  by: Actor,
  shopId: number,
): Promise<
  Outcome<null, Refused<'not-allowed'> | Refused<'nothing-due'> | Refused<'refused'> | Refused<'unavailable'>>
> {
  const at = deps.clock.now()
  const permitted = await deps.db.transaction().execute(async (tx) => {
    const may = await requirePermission(tx, by, 'pay.adjust', at)
    const shop = may.ok ? await findPaidShop(tx, { shopId }) : undefined
    if (shop) await recordAct(tx, { by, act: 'shop-pay.sent-again', subject: shop.code, at })
    return may
  })
  if (!permitted.ok) return permitted
  const transfer = await intendTransfer(deps, shopId)
  if (!transfer) return refused('nothing-due')
  await carryOut(deps, transfer)
  const { state } = await deps.db.transaction().execute(async (tx) => (await lockTransfer(tx, transfer.id)) ?? transfer)
  if (state === 'sent') return ok(null)
  return refused(state === 'refused' ? 'refused' : 'unavailable')
}

/** Creates the transfer of a shop's due amount; undefined if it isn't positive. */
async function intendTransfer({ db, clock }: Deps, shopId: number): Promise<Transfer | undefined> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const accountRef = await lockReadyAccount(tx, shopId)
    if (accountRef === undefined || (await hasIntended(tx, shopId))) return undefined
    const items = await selectDueItems(tx, shopId, at)
    const amountCents = items.reduce((cents, item) => cents + item.amountCents, 0)
    if (amountCents <= 0) return undefined
    const transfer = { id: newTimedId(), shopId, accountRef, amountCents }
    await insertTransfer(tx, { ...transfer, at }, items)
    return { ...transfer, state: 'intended', ref: null, intendedAt: at, refusal: null }
  })
}

/**
 * Executes an intended transfer at the provider. If it is unavailable, the next run retries. Only one run calls at a
 * time, because a refusal is final and must not come from a call concurrent with a successful one.
 */
async function carryOut({ db, clock, payouts, log }: Deps, transfer: Transfer): Promise<void> {
  const { id, accountRef, amountCents } = transfer
  const at = clock.now()
  if (!(await claimTransfer(db, { id, at, before: at.subtract({ minutes: claimMinutes }) }))) return
  const isOld = Temporal.Instant.compare(transfer.intendedAt.add({ hours: keyHours }), clock.now()) < 0
  const found = isOld ? await payouts.findTransfer(id) : ({ ok: true, value: null } as const)
  const answer =
    found.ok && found.value === null
      ? await payouts.sendTransfer({ accountRef, amountCents, reference: id, key: `transfer:${id}` })
      : found
  if (answer.ok && answer.value !== null) await updateToSent(db, { id, ref: answer.value.ref, at: clock.now() })
  else if (!answer.ok && answer.reason !== 'unavailable') {
    log.warn({ transferId: id, err: answer.cause }, 'the payout provider refused a transfer')
    const refusal = answer.message || answer.reason
    await db.transaction().execute((tx) => updateToRefused(tx, { id, refusal }))
  }
}

async function tellThatPayWaits({ db, clock }: Deps, shopId: number): Promise<void> {
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    if (!(await insertWait(tx, shopId, at))) return
    for (const { email } of await listShopOwners(tx, shopId))
      await queueMessage(tx, {
        kind: 'shop-pay-waits',
        key: `shop-pay-waits:${shopId}:${email}`,
        to: email,
        orderId: null,
        at,
      })
  })
}

/** Records the provider's transfer status, whether it was sent, and any reversals. */
export async function settleTransfer(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
  view: TransferView,
): Promise<void> {
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const transfer = await lockTransfer(tx, id)
    if (!transfer) return
    await updateToSent(tx, { id, ref: view.ref, at })
    await insertReversal(tx, { id: newTimedId(), transfer, totalCents: view.reversedCents, at })
  })
}

/**
 * Takes money of a sent transfer back from the shop's account, once per submission: it lowers what the shop owes.
 * Refuses `too-much` if the provider does not give as much, and `unavailable` if it does not answer.
 */
export async function reversePay(
  deps: Deps,
  by: Actor,
  {
    shopId,
    transferId,
    amountCents,
    submission,
  }: { shopId: number; transferId: string; amountCents: number; submission: string },
): Promise<
  Outcome<null, Refused<'not-allowed'> | Refused<'not-found'> | Refused<'too-much'> | Refused<'unavailable'>>
> {
  const at = deps.clock.now()
  const intended = await deps.db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'pay.approve', at)
    if (!permitted.ok) return permitted
    const transfer = await lockTransfer(tx, transferId)
    const shop = await findPaidShop(tx, { shopId })
    if (!shop || transfer?.shopId !== shopId || transfer.ref === null) return refused('not-found')
    await recordAct(tx, { by, act: 'shop-pay.reversed', subject: shop.code, after: { cents: amountCents }, at })
    return ok(transfer.ref)
  })
  if (!intended.ok) return intended
  const answer = await deps.payouts.reverseTransfer({ ref: intended.value, amountCents, key: `reversal:${submission}` })
  if (!answer.ok) return refused(answer.reason === 'unavailable' ? 'unavailable' : 'too-much')
  await settleTransfer(deps, transferId, answer.value)
  return ok(null)
}

/** Lists shops with a refused last transfer, longest pending first. */
export async function listRefusedPay(
  db: Database,
  limit: number,
): Promise<{ code: string; name: string; amountCents: number; at: Temporal.Instant }[]> {
  const found = []
  for (const { shopId, amountCents, at } of await selectRefusedTransfers(db, limit)) {
    const shop = await findPaidShop(db, { shopId })
    if (shop) found.push({ code: shop.code, name: shop.name, amountCents, at })
  }
  return found
}
