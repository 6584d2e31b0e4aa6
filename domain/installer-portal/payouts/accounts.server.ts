/** A shop's account at the payout provider, opened by its owner and completed on the provider's pages. */
import { findPaidShop, listShopOwners } from '#domain/scheduling/installers/installers.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import type { PayoutEvent, PayoutProvider } from './payout-provider.port.ts'
import { insertAccount, selectAccount, updateAccount, upsertBankPayout, type Account } from './transfers.sql.server.ts'
import { settleTransfer } from './transfers.server.ts'
import { requireShopMember, type PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import { isFreshAtShop } from '#domain/installer-portal/portal/portal.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; payouts: PayoutProvider }

/**
 * Opens the provider's page for a shop's bank details, creating an account the first time. On later visits, all the
 * shop's owners are notified. Refuses `not-allowed`, `not-fresh` for a sign-in that is too old, and `unavailable`.
 */
export async function openBankPage(
  deps: Deps,
  by: PortalActor,
  { returnUrl, refreshUrl }: { returnUrl: string; refreshUrl: string },
): Promise<Outcome<{ url: string }, Refused<'not-allowed'> | Refused<'not-fresh'> | Refused<'unavailable'>>> {
  const { db, clock, payouts } = deps
  const at = clock.now()
  const { shopId } = by
  const permitted = await db.transaction().execute(async (tx) => {
    const member = await requireShopMember(tx, by, 'pay.bank', at)
    if (!member.ok) return member
    if (!isFreshAtShop(member.value, at)) return refused('not-fresh')
    const account = await selectAccount(tx, { shopId })
    const owners = await listShopOwners(tx, shopId)
    if (account?.bankLast4)
      for (const { email } of owners)
        await queueMessage(tx, {
          kind: 'shop-bank-change',
          // Once for each sign-in, however often the page is opened.
          key: `shop-bank-change:${shopId}:${member.value.authenticatedAt.epochMilliseconds}:${email}`,
          to: email,
          orderId: null,
          at,
        })
    return ok({ account, email: owners[0]?.email ?? '', code: (await findPaidShop(tx, { shopId }))?.code ?? '' })
  })
  if (!permitted.ok) return permitted
  const ref = permitted.value.account?.ref ?? (await openAccount(deps, shopId, permitted.value))
  const page = ref === undefined ? undefined : await payouts.openBankPage({ ref, returnUrl, refreshUrl })
  return page?.ok ? ok({ url: page.value.url }) : refused('unavailable')
}

async function openAccount(
  { db, clock, payouts }: Deps,
  shopId: number,
  { email, code }: { email: string; code: string },
): Promise<string | undefined> {
  const opened = await payouts.openAccount({ reference: code, email, key: `account:${code}:${email}` })
  if (!opened.ok) return undefined
  await insertAccount(db, { shopId, ref: opened.value.ref, at: clock.now() })
  // Of two concurrent creations, the first one stored is used.
  return (await selectAccount(db, { shopId }))?.ref
}

/**
 * Reads the account's status from the provider and stores it. If the provider isn't responding, returns the stored
 * status.
 */
export async function refreshAccount(deps: Deps, shopId: number): Promise<Account | undefined> {
  const known = await selectAccount(deps.db, { shopId })
  if (known) await readAgain(deps, known.ref)
  return selectAccount(deps.db, { shopId })
}

async function readAgain({ db, clock, payouts }: Deps, ref: string): Promise<boolean> {
  const askedAt = clock.now()
  const answer = await payouts.readAccount(ref)
  if (answer.ok) await updateAccount(db, answer.value, askedAt)
  return answer.ok
}

/**
 * Handles a payout provider event. Its subject is read again, so that duplicate and late events are harmless. Returns
 * `null` for unrelated events. Throws if the provider is unavailable, so that it redelivers the event.
 */
export async function receivePayoutEvent(
  deps: Deps,
  rawBody: string,
  signature: string,
): Promise<Outcome<'received' | null, Refused<'bad-signature'> | Refused<'unreadable', { cause: unknown }>>> {
  const read = await deps.payouts.readEvent(rawBody, signature)
  if (!read.ok) return read.reason === 'unreadable' ? refused(read.reason, { cause: read.cause }) : refused(read.reason)
  const { event } = read
  if (event === null) return ok(null)
  await readWhatItIsAbout(deps, event)
  return ok('received')
}

async function readWhatItIsAbout(deps: Deps, event: NonNullable<PayoutEvent>): Promise<void> {
  const { db, clock, payouts } = deps
  if (event.about === 'account') {
    if ((await selectAccount(db, { ref: event.ref })) && !(await readAgain(deps, event.ref))) throw away()
  } else if (event.about === 'transfer') {
    const transfer = await payouts.readTransfer(event.ref)
    if (!transfer.ok) throw away(transfer.cause)
    const { reference } = transfer.value
    if (reference !== null && isId(reference)) await settleTransfer(deps, reference, transfer.value)
  } else {
    const account = await selectAccount(db, { ref: event.accountRef })
    if (!account) return
    const payout = await payouts.readBankPayout(event)
    if (!payout.ok) throw away(payout.cause)
    const { state } = payout.value
    if (state !== 'pending') await upsertBankPayout(db, account.shopId, { ...payout.value, state }, clock.now())
  }
}

function away(cause?: unknown): Error {
  return new Error('The payout provider cannot be asked about its own message; it will send it again.', { cause })
}
