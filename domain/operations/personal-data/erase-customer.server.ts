/** Exports and erases all data we store about a customer. */
import { eraseStagedCustomers } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { exportMails, forgetMailsOf } from '#domain/messaging/messages/messages.server.ts'
import { forgetDetailsOfCarts } from '#domain/ordering/checkout/checkout.server.ts'
import {
  deletePastOrders,
  eraseCustomerRows,
  findCustomer,
  findErasure,
  insertErasure,
  listPastEmails,
  lockCustomers,
  selectImportedDetails,
  selectPastOrders,
  updateErasure,
  type Customer,
} from '#domain/customers/customers/customers.server.ts'
import { maxErasureReason } from '#domain/customers/customers/customers.ts'
import { exportClaims } from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  eraseOrderPeople,
  exportOrdersById,
  selectCustomerOrders,
  summarizeOrders,
} from '#domain/ordering/orders/orders.server.ts'
import { exportGuaranteeRequests } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { recordAct, requireFreshPermission, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { exportQuestions, forgetRequestsFrom } from '#domain/messaging/support/support.server.ts'
import { eraseTexts, exportTexts } from '#domain/messaging/texts/texts.server.ts'
import {
  eraseJobPhotos,
  exportRegistrations,
  exportSignatures,
} from '#domain/installer-portal/work-orders/work-orders.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { isId, newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { deleteAccountWithin, readAccountData } from './account-data.server.ts'
import { findVerifiedAccounts } from '#domain/customers/accounts/accounts.server.ts'

type Deps = { db: Database; clock: Clock }
type ActRefusal = Refused<'not-allowed'> | Refused<'customer-not-found'>

/** More orders than any person places. */
const maxOrders = 5_000

/** Requests a customer's erasure, which a second person confirms. Idempotent. Refuses `no-words` without a reason. */
export async function requestErasure(
  { db, clock }: Deps,
  by: Actor,
  { id, reason: typed }: { id: string; reason: string },
): Promise<Outcome<null, ActRefusal | Refused<'no-words'>>> {
  const reason = typed.trim()
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'customers.manage', at)
    if (!permitted.ok) return permitted
    if (reason === '' || reason.length > maxErasureReason) return refused('no-words')
    const [customer] = isId(id) ? await lockCustomers(tx, [id]) : []
    if (!customer) return refused('customer-not-found')
    if (await insertErasure(tx, { id: newTimedId(), customerId: id, reason, by: by.name, at }))
      await recordAct(tx, { by, act: 'customer.erasure-requested', subject: customer.email, reason, at })
    return ok(null)
  })
}

/**
 * Erases a customer at another person's request, or declines the request. Accounts and messages are deleted, and orders
 * stay without a name. Tire registrations and text message consents stay as required by law. Refuses `own-request`,
 * `orders-open` while an order is not finished, and `not-fresh`.
 */
export async function decideErasure(
  { db, clock }: Deps,
  by: Actor,
  { id, isApproved }: { id: string; isApproved: boolean },
): Promise<
  Outcome<
    null,
    | ActRefusal
    | Refused<'not-fresh'>
    | Refused<'already-decided'>
    | Refused<'own-request'>
    | Refused<'orders-open', { count: number }>
  >
> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requireFreshPermission(tx, by, 'customers.manage', at)
    if (!permitted.ok) return permitted
    const [locked] = isId(id) ? await lockCustomers(tx, [id]) : []
    const customer = locked && (await findCustomer({ db: tx }, id))
    if (!customer) return refused('customer-not-found')
    const erasure = await findErasure(tx, id)
    if (!erasure) return refused('already-decided')
    if (!isApproved) {
      await updateErasure(tx, { id: erasure.id, state: 'declined', by: by.name, at })
      await recordAct(tx, { by, act: 'customer.erasure-declined', subject: customer.email, at })
      return ok(null)
    }
    if (erasure.requestedBy === by.name) return refused('own-request')
    const openOrders = await eraseEverything(tx, customer, at)
    if (openOrders > 0) return refused('orders-open', { count: openOrders })
    await updateErasure(tx, { id: erasure.id, state: 'erased', by: by.name, at })
    // The email is omitted, because the audit log is never edited.
    const about = { subject: `customer ${id}`, reason: erasure.reason, at }
    await recordAct(tx, { by, act: 'customer.erased', fresh: permitted.value, ...about })
    return ok(null)
  })
}

/** Erases a customer in all modules. Refuses without erasing if orders are open, and returns their number. */
async function eraseEverything(tx: Tx, customer: Customer, at: Temporal.Instant): Promise<number> {
  const { ids, emails } = customer
  const accountIds = (await findVerifiedAccounts({ db: tx }, emails)).map(({ id }) => id)
  const ordering = { customerIds: ids, accountIds }
  const [summary] = await summarizeOrders(tx, [ordering], at)
  if (!summary || summary.openOrders > 0) return summary?.openOrders ?? 0
  const orderIds = (await selectCustomerOrders(tx, ordering, maxOrders)).map((order) => order.id)
  for (const accountId of accountIds) await deleteAccountWithin(tx, accountId, at)
  await forgetDetailsOfCarts(tx, await eraseOrderPeople(tx, orderIds))
  const every = [...emails, ...(await listPastEmails(tx, ids))]
  await forgetMailsOf(tx, { emails: every, orderIds })
  await forgetRequestsFrom(tx, every)
  await eraseTexts(tx, orderIds)
  await eraseJobPhotos(tx, orderIds)
  await eraseStagedCustomers(tx, every)
  await deletePastOrders(tx, { emails: every, phones: customer.phone === null ? [] : [customer.phone] })
  await eraseCustomerRows(tx, ids)
  return 0
}

/**
 * Returns the export for a customer's data request, with everything in their accounts and everything recorded under
 * their emails and for their guest orders. Records the export. Needs a recent sign-in.
 */
export async function exportCustomer(
  { db, clock }: Deps,
  by: Actor,
  id: string,
): Promise<Outcome<{ name: string; data: object }, ActRefusal | Refused<'not-fresh'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requireFreshPermission(tx, by, 'customers.manage', at)
    if (!permitted.ok) return permitted
    const customer = isId(id) ? await findCustomer({ db: tx }, id) : undefined
    if (!customer) return refused('customer-not-found')
    const { ids, emails, email, name, phone, city, state, zip } = customer
    const accountIds = (await findVerifiedAccounts({ db: tx }, emails)).map((account) => account.id)
    const orders = await selectCustomerOrders(tx, { customerIds: ids, accountIds }, maxOrders)
    const orderIds = orders.map((order) => order.id)
    const accounts: object[] = []
    for (const accountId of accountIds) accounts.push(await readAccountData({ db: tx }, accountId))
    const byEmail: object[] = []
    for (const each of [...emails, ...(await listPastEmails(tx, ids))])
      byEmail.push({
        email: each,
        questions: await exportQuestions(tx, each),
        mails: await exportMails(tx, each),
        priceGuarantees: await exportGuaranteeRequests(tx, each),
        coverageClaims: await exportClaims(tx, each),
        pastOrders: await selectPastOrders(tx, [each], maxOrders),
      })
    const data = {
      customer: { email, name, phone, city, state, zip },
      imported: await selectImportedDetails(tx, ids),
      accounts,
      byEmail,
      orderNumbers: orderIds.map(orderNumber),
      orders: await exportOrdersById(tx, orderIds),
      tireRegistrations: await exportRegistrations(tx, orderIds),
      signatures: await exportSignatures(tx, orderIds),
      texts: await exportTexts(tx, { accountId: accountIds[0] ?? id, orderIds }),
    }
    await recordAct(tx, { by, act: 'customer.exported', fresh: permitted.value, subject: email, at })
    return ok({ name: `customer-${id}.json`, data })
  })
}
