/** Customers added by staff before their first order, and contact changes. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { isId, newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { selectBlock } from './block.sql.server.ts'
import type { CustomerContact } from './contact-form.ts'
import {
  insertAlike,
  insertContact,
  selectByPhone,
  selectContact,
  selectContactChanges,
  updateContact,
  type ContactChange,
} from './contacts.sql.server.ts'
import { selectCustomer, selectCustomerByEmail, type Customer } from './customers.sql.server.ts'
import { lockCustomers } from './merge.sql.server.ts'

export {
  deleteContactChanges as forgetOldContactChanges,
  selectPastEmails as listPastEmails,
  type ContactChange,
} from './contacts.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type EmailTaken = Refused<'email-taken', { customer: Customer }>

/** How many customers with the same phone are shown before another one is added. */
const maxShown = 5

/**
 * Adds a customer by name, email and phone. They get an account by signing up with the email, and a first guest order
 * with it is assigned to them. Refuses with `email-taken` and the customer with the email, or with `same-phone` and the
 * customers with the phone, unless `isOther` confirms that this is a different person.
 */
export async function addCustomer(
  { db, clock }: Deps,
  by: Actor,
  { isOther, ...contact }: CustomerContact & { isOther: boolean },
): Promise<
  Outcome<{ id: string }, Refused<'not-allowed'> | EmailTaken | Refused<'same-phone', { customers: Customer[] }>>
> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'customers.edit', at)
    if (!permitted.ok) return permitted
    const known = await selectCustomerByEmail(tx, contact.email)
    if (known) return refused('email-taken', { customer: known })
    const customers = contact.phone === null || isOther ? [] : await selectByPhone(tx, contact.phone, maxShown)
    if (customers.length > 0) return refused('same-phone', { customers })
    const id = newTimedId()
    // Someone else may have added the email since.
    if (!(await insertContact(tx, { ...contact, id, at }))) return emailTaken(tx, contact.email)
    await insertAlike(tx, id, at)
    await recordAct(tx, { by, act: 'customer.added', subject: subjectOf(id), at })
    return ok({ id })
  })
}

/** The contact of a customer as a form begins with it; `hasAccount`: their name and email belong to their account. */
export type EditedContact = NonNullable<Awaited<ReturnType<typeof selectContact>>>

/** Returns a customer's contact; undefined if it doesn't exist. */
export async function findContact({ db }: Pick<Deps, 'db'>, id: string): Promise<EditedContact | undefined> {
  return isId(id) ? selectContact(db, id) : undefined
}

/**
 * Changes a customer's contact. Existing orders are unchanged. Saving unchanged values has no effect. Refuses
 * `changed-meanwhile` for another version than `version`, `email-taken` with the customer who has the email,
 * `account-owns` for another name or email of a customer with an account, which only its owner changes where they sign
 * in, and `blocked-contact` for people who may not unblock a blocked customer.
 */
export async function changeContact(
  { db, clock }: Deps,
  by: Actor,
  { id, version, ...typed }: Partial<CustomerContact> & { id: string; version: number },
): Promise<
  Outcome<
    null,
    | Refused<'not-allowed'>
    | Refused<'customer-not-found'>
    | Refused<'changed-meanwhile'>
    | Refused<'account-owns'>
    | Refused<'blocked-contact'>
    | EmailTaken
  >
> {
  try {
    return await db.transaction().execute(async (tx) => {
      const at = clock.now()
      const permitted = await requirePermission(tx, by, 'customers.edit', at)
      if (!permitted.ok) return permitted
      const [locked] = isId(id) ? await lockCustomers(tx, [id]) : []
      const before = locked && (await selectContact(tx, id))
      if (!before) return refused('customer-not-found')
      if (before.version !== version) return refused('changed-meanwhile')
      const { name, email, phone } = before
      const after = { name, email, phone, ...typed }
      if (after.email === email.toLowerCase()) after.email = email
      const changed = (['name', 'email', 'phone'] as const).filter((field) => after[field] !== before[field])
      if (changed.length === 0) return ok(null)
      const allowed = await checkChange(tx, by, { id, hasAccount: before.hasAccount, changed, email: after.email, at })
      if (!allowed.ok) return allowed
      await updateContact(tx, id, { id: newTimedId(), before: { name, email, phone }, after, at, by: by.name })
      await insertAlike(tx, id, at)
      const what = { changed: changed.join(', ') }
      await recordAct(tx, { by, act: 'customer.contact-changed', subject: subjectOf(id), after: what, at })
      return ok(null)
    })
  } catch (error) {
    // Someone else took the email at the same time.
    if (violatedConstraint(error) === 'customer_by_email' && typed.email !== undefined)
      return emailTaken(db, typed.email)
    throw error
  }
}

/**
 * Returns whether these fields of a locked customer can be changed, considering their owner, blocks that depend on
 * them, and the email.
 */
async function checkChange(
  tx: Tx,
  by: Actor,
  change: { id: string; hasAccount: boolean; changed: readonly string[]; email: string; at: Temporal.Instant },
): Promise<Outcome<null, Refused<'account-owns'> | Refused<'blocked-contact'> | EmailTaken>> {
  const { id, hasAccount, changed, email, at } = change
  if (hasAccount && (changed.includes('name') || changed.includes('email'))) return refused('account-owns')
  // A new email and phone would end what a block is for.
  const customer = await selectCustomer(tx, id)
  if (customer && (await selectBlock(tx, customer.ids))) {
    const mayUnblock = await requirePermission(tx, by, 'customers.manage', at)
    if (!mayUnblock.ok) return refused('blocked-contact')
  }
  const other = changed.includes('email') ? await selectCustomerByEmail(tx, email) : undefined
  return other ? refused('email-taken', { customer: other }) : ok(null)
}

/** Lists the latest contact changes for a customer and those merged into it, newest first. `ids` are theirs. */
export function listContactChanges({ db }: Pick<Deps, 'db'>, ids: readonly string[]): Promise<ContactChange[]> {
  return selectContactChanges(db, ids, 10)
}

async function emailTaken(db: Database | Tx, email: string): Promise<EmailTaken> {
  const taken = await selectCustomerByEmail(db, email)
  if (!taken) throw new Error('The email of a customer was taken, and no customer has it.')
  return refused('email-taken', { customer: taken })
}

/** The email is omitted, because the audit log is never edited, and outlives an erasure. */
function subjectOf(id: string): string {
  return `customer ${id}`
}
