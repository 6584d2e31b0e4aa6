/** The statements for saved addresses. */
import type { TypedAddress } from './address-form.ts'
import type { Database } from '#platform/db.ts'

export type SavedAddress = TypedAddress & { id: string }

/** The addresses of an account, most recently used first. */
export async function selectAddresses(db: Database, accountId: string): Promise<SavedAddress[]> {
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

/** Adds an address to an account. Throws the violated `account_address_once` for a duplicate. */
export async function insertAddress(
  db: Database,
  accountId: string,
  { id, ...address }: SavedAddress,
  at: Temporal.Instant,
): Promise<void> {
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
      added_at: at,
      used_at: at,
    })
    .execute()
}

/** Deletes an address of an account; returns whether it existed. */
export async function deleteAddress(db: Database, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('account_address')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
