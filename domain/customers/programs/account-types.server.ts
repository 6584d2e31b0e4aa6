/** Account types that staff set, and the documents that prove them. */
import { findMembership } from '#domain/customers/companies/companies.server.ts'
import { storeFile, type Attachment, type NamedFile } from '#domain/kernel/files/files.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { endGrant, findGrant, grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import type { AccountType, Grant } from '#domain/pricing/price-tiers/price-tiers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { isId, newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeZone } from '#platform/store-zone.ts'
import { mostDocuments } from './account-type-form.ts'
import {
  deleteDocument,
  insertDocument,
  selectDocument,
  selectDocuments,
  type AccountDocument,
} from './account-types.sql.server.ts'
import { lockPricedAccount } from './partners.sql.server.ts'

export type { AccountDocument } from './account-types.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type ActRefusal = Refused<'not-allowed'> | Refused<'no-account'>

/** The version of an account's type for `setAccountType`; empty at retail. */
export function typeVersion(grant: Pick<Grant, 'since' | 'type'> | undefined): string {
  return grant ? `${grant.type} ${grant.since.toString()}` : ''
}

/**
 * Sets an account's type, effective now through the day `until` (in the store's time zone, null for no end). Retail
 * ends the current type. Later prices follow; orders don't change. A paid membership returns when the type ends.
 * Refuses members of companies, whose company sets the type (`company`), ending a membership (`member`), and a type that
 * changed since `version` (`changed`).
 */
export async function setAccountType(
  { db, clock }: Deps,
  by: Actor,
  set: { accountId: string; type: AccountType; until: Temporal.PlainDate | null; reason: string; version: string },
): Promise<Outcome<null, ActRefusal | Refused<'company'> | Refused<'member'> | Refused<'changed'>>> {
  const { accountId, type, reason } = set
  return actOn({ db, clock }, by, accountId, async (tx, email, at) => {
    const grant = await findGrant(tx, accountId, at)
    if (typeVersion(grant) !== set.version) return refused('changed')
    if (await findMembership({ db: tx }, accountId)) return refused('company')
    const until = set.until && set.until.add({ days: 1 }).toZonedDateTime(storeZone).toInstant()
    if (type !== 'Retail') {
      await grantType({ db: tx, clock }, { accountId, type, how: 'staff', until, by: by.name, reason })
    } else if (grant?.type === 'Retail Member') return refused('member')
    else if (grant) await endGrant({ db: tx, clock }, { accountId, type: grant.type })
    await recordAct(tx, {
      by,
      act: 'account-type.set',
      subject: email,
      before: { type: grant?.type ?? 'Retail', until: grant?.until?.toString() ?? null },
      after: { type, until: until?.toString() ?? null },
      reason,
      at,
    })
    return ok(null)
  })
}

/** Adds a document, such as an employee ID, to an account, up to `mostDocuments`. */
export async function addAccountDocument(
  deps: Deps,
  by: Actor,
  { accountId, file }: { accountId: string; file: Attachment },
): Promise<Outcome<{ id: string }, ActRefusal | Refused<'too-many-documents'>>> {
  return actOn(deps, by, accountId, async (tx, email, at) => {
    if ((await selectDocuments(tx, [accountId])).length >= mostDocuments) return refused('too-many-documents')
    const { name } = file
    const id = newId()
    const fileKey = await storeFile(tx, file, at)
    await insertDocument(tx, { id, accountId, fileName: name, fileKey, addedAt: at, addedBy: by.name })
    await recordAct(tx, { by, act: 'account-document.added', subject: email, after: { document: name }, at })
    return ok({ id })
  })
}

/** Removes a document from an account, with its file. */
export async function removeAccountDocument(
  deps: Deps,
  by: Actor,
  { accountId, documentId }: { accountId: string; documentId: string },
): Promise<Outcome<null, ActRefusal | Refused<'no-document'>>> {
  return actOn(deps, by, accountId, async (tx, email, at) => {
    const name = isId(documentId) ? await deleteDocument(tx, { accountId, id: documentId }) : undefined
    if (name === undefined) return refused('no-document')
    await recordAct(tx, { by, act: 'account-document.removed', subject: email, before: { document: name }, at })
    return ok(null)
  })
}

/** Lists the documents of accounts, newest first. */
export function listAccountDocuments(
  { db }: Pick<Deps, 'db'>,
  accountIds: readonly string[],
): Promise<AccountDocument[]> {
  return selectDocuments(db, accountIds)
}

/** Returns the file of a document of one of the accounts, for staff. */
export async function findAccountDocument(
  { db }: Pick<Deps, 'db'>,
  { accountIds, id }: { accountIds: readonly string[]; id: string },
): Promise<NamedFile | undefined> {
  return isId(id) ? selectDocument(db, { accountIds, id }) : undefined
}

async function actOn<Value, Refusal extends Refused<string, unknown>>(
  { db, clock }: Deps,
  by: Actor,
  accountId: string,
  act: (tx: Tx, email: string, at: Temporal.Instant) => Promise<Outcome<Value, Refusal>>,
): Promise<Outcome<Value, ActRefusal | Refusal>> {
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'account-types.set', clock.now())
    if (!permitted.ok) return permitted
    const account = isId(accountId) ? await lockPricedAccount(tx, accountId) : undefined
    // The time is read after the lock, because a type may have started in between.
    return account ? act(tx, account.email ?? `account ${accountId}`, clock.now()) : refused('no-account')
  })
}
