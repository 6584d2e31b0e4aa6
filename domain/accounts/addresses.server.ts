/** Saved addresses: filled in at the checkout, the one used last first. */
import type { TypedAddress } from '#domain/accounts/address-form.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

export type SavedAddress = TypedAddress & { id: string }

export const mostAddresses = 10

/** The addresses of an account, the one used last first. */
export async function listAddresses({ db }: Pick<Deps, 'db'>, accountId: string): Promise<SavedAddress[]> {
  const rows = await db
    .selectFrom('account_address')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('used_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    company: row.company,
    address1: row.address1,
    address2: row.address2,
    city: row.city,
    state: row.state,
    zip: row.zip,
    phone: { digits: row.phone, extension: row.phone_extension },
    phoneType: row.phone_type as TypedAddress['phoneType'],
  }))
}

/** Saves an address. Refuses `known` for one that is there, and `full` past ten. */
export async function addAddress(
  { db, clock }: Deps,
  accountId: string,
  address: TypedAddress,
): Promise<Outcome<{ id: string }, Refused<'known'> | Refused<'full'>>> {
  if ((await listAddresses({ db }, accountId)).length >= mostAddresses) return refused('full')
  const id = newTimedId()
  const now = clock.now()
  try {
    await db
      .insertInto('account_address')
      .values({
        id,
        account_id: accountId,
        first_name: address.firstName,
        last_name: address.lastName,
        company: address.company,
        address1: address.address1,
        address2: address.address2,
        city: address.city,
        state: address.state,
        zip: address.zip,
        phone: address.phone.digits,
        phone_extension: address.phone.extension,
        phone_type: address.phoneType,
        added_at: now,
        used_at: now,
      })
      .execute()
    return ok({ id })
  } catch (error) {
    if (violatedConstraint(error) === 'account_address_once') return refused('known')
    throw error
  }
}

/** Takes an address away; whether it was there. */
export async function removeAddress({ db }: Pick<Deps, 'db'>, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('account_address')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * What the checkout fills in for who is signed in: the address used last, and the account's email; undefined without
 * either.
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
