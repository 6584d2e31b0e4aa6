/** Saved addresses, prefilled at checkout, most recently used first. */
import type { TypedAddress } from './address-form.ts'
import type { SignedIn } from './accounts.ts'
import { deleteAddress, insertAddress, selectAddresses, type SavedAddress } from './addresses.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type { SavedAddress } from './addresses.sql.server.ts'

type Deps = { db: Database; clock: Clock }

export const mostAddresses = 10

/** Lists the addresses of an account, most recently used first. */
export function listAddresses({ db }: Pick<Deps, 'db'>, accountId: string): Promise<SavedAddress[]> {
  return selectAddresses(db, accountId)
}

/** Saves an address. Refuses `known` for a duplicate, and `full` past ten. */
export async function addAddress(
  { db, clock }: Deps,
  accountId: string,
  address: TypedAddress,
): Promise<Outcome<{ id: string }, Refused<'known'> | Refused<'full'>>> {
  if ((await listAddresses({ db }, accountId)).length >= mostAddresses) return refused('full')
  const id = newTimedId()
  try {
    await insertAddress(db, accountId, { ...address, id }, clock.now())
    return ok({ id })
  } catch (error) {
    if (violatedConstraint(error) === 'account_address_once') return refused('known')
    throw error
  }
}

/** Deletes an address; returns whether it existed. */
export function removeAddress({ db }: Pick<Deps, 'db'>, accountId: string, id: string): Promise<boolean> {
  return deleteAddress(db, accountId, id)
}

/**
 * Returns the data that checkout prefills for a signed-in customer: the address used last and the account's email.
 * Undefined without either.
 */
export async function savedContact(
  { db }: Pick<Deps, 'db'>,
  { accountId, email }: SignedIn,
): Promise<(Partial<TypedAddress> & { email?: string }) | undefined> {
  const [last] = await listAddresses({ db }, accountId)
  if (!last) return email === null ? undefined : { email }
  const { id: _, ...address } = last
  return { ...address, ...(email !== null && { email }) }
}
