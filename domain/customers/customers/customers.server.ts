/** Customers, one per person, identified by the email of their orders and accounts. */
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import {
  deleteUnused,
  insertCustomer,
  selectCustomer,
  selectCustomerByEmail,
  selectPossibleDuplicates,
  type Customer,
} from './customers.sql.server.ts'
import {
  selectCustomerCount,
  selectCustomerPage,
  type CustomerPlace,
  type CustomerQuery,
} from './customer-list.sql.server.ts'

export {
  blockCustomer,
  findBlock,
  isBlockedBuyer,
  listBlockedAmong,
  listCustomerNotes,
  noteCustomer,
  unblockCustomer,
  type Block,
  type CustomerNote,
} from './block.server.ts'
export {
  addCustomer,
  changeContact,
  findContact,
  forgetOldContactChanges,
  listContactChanges,
  listPastEmails,
  type ContactChange,
  type EditedContact,
} from './contacts.server.ts'
export {
  eraseCustomerRows,
  insertErasure,
  selectErasure as findErasure,
  updateErasure,
  type Erasure,
} from './erasure.sql.server.ts'
export { customerRecords } from './customer-records.server.ts'
export { selectImportedDetails, type ImportedDetails } from './imports.sql.server.ts'
export { deletePastOrders, findPastOrders, selectPastOrders, type PastOrder } from './past-orders.sql.server.ts'
export { lockCustomers } from './merge.sql.server.ts'
export type { Merge } from './merge.sql.server.ts'
export { keepApart, listMerges, mergeCustomers, undoCustomerMerge } from './merge.server.ts'
export { findCustomers } from './find-customers.sql.server.ts'
export { customerParts, type OrderContact } from './place.sql.server.ts'
export type { Customer } from './customers.sql.server.ts'
export type { CustomerPlace, CustomerQuery } from './customer-list.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Days for which a customer counts as new. */
const newDays = 7

/**
 * Lists a page of customers, last active first; `next` is the cursor of the following page, or null on the last one.
 */
export async function listCustomers(
  { db, clock }: Deps,
  query: Omit<CustomerQuery, 'newSince'>,
  { after, limit }: { after: CustomerPlace | null; limit: number },
): Promise<{ customers: Customer[]; next: CustomerPlace | null }> {
  const found = await selectCustomerPage(db, { ...query, newSince: newSince(clock) }, { after, count: limit + 1 })
  const customers = found.slice(0, limit)
  const last = found.length > limit ? customers.at(-1) : undefined
  return { customers, next: last ? { activeAt: last.activeAt, id: last.id } : null }
}

/** Counts the customers of a list, up to `limit`. */
export function countCustomers(
  { db, clock }: Deps,
  query: Omit<CustomerQuery, 'newSince'>,
  limit: number,
): Promise<number> {
  return selectCustomerCount(db, { ...query, newSince: newSince(clock) }, limit)
}

const newSince = (clock: Clock) => clock.now().subtract({ hours: 24 * newDays })

/** Whether a customer is in the view "New this week". */
export function isNewCustomer({ createdAt }: Pick<Customer, 'createdAt'>, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(createdAt, now.subtract({ hours: 24 * newDays })) > 0
}

/** Finds a customer. For one that was merged, finds the customer it was merged into. */
export function findCustomer({ db }: Pick<Deps, 'db'>, id: string): Promise<Customer | undefined> {
  return selectCustomer(db, id)
}

/** Finds the customer with an email, in any case. For one that was merged, finds the customer it was merged into. */
export function findCustomerByEmail({ db }: Pick<Deps, 'db'>, email: string): Promise<Customer | undefined> {
  return selectCustomerByEmail(db, email)
}

/** Lists up to five customers with the same name and phone that aren't marked as different people. */
export function listPossibleDuplicates({ db }: Pick<Deps, 'db'>, customer: Customer): Promise<Customer[]> {
  return selectPossibleDuplicates(db, customer, 5)
}

/** Adds the customer of an account that verified its email, unless there is one with that email. */
export function keepCustomer(
  db: Database,
  { email, name, at }: { email: string; name: string | null; at: Temporal.Instant },
): Promise<void> {
  return insertCustomer(db, { id: newTimedId(), email, name, at })
}

/** Deletes the customer with an email if it has no references, such as an order. */
export function forgetUnusedCustomer(db: Database, email: string): Promise<void> {
  return deleteUnused(db, email)
}
