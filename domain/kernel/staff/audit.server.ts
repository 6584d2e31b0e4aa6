/** The audit log of staff actions, recorded with the change and never edited. */
import {
  insertEntry,
  selectEntries,
  type Act,
  type AuditEntry,
  type AuditQuery,
  type Authorization,
  type FreshOrScoped,
  type FreshSignIn,
  type OnlyAudited,
} from './audit.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'

export type {
  Act,
  ActWithout,
  Actor,
  AuditEntry,
  AuditQuery,
  Authorization,
  FreshOrScoped,
  FreshSignIn,
  Recorded,
} from './audit.sql.server.ts'

/**
 * Records an act in the transaction of the change, so that neither can exist without the other. An act with a field that
 * `auditFields` doesn't have is a type error.
 */
export function recordAct<Recording extends Act>(tx: Tx, act: Recording & OnlyAudited<Recording>): Promise<void> {
  return insertEntry(tx, act)
}

const entriesPerPage = 50

/** Lists a page of matching entries, newest first; `next` is the key of the following page, null on the last. */
export async function listAudit(
  { db }: { db: Database },
  query: AuditQuery,
): Promise<{ entries: AuditEntry[]; next: number | null }> {
  const found = await selectEntries(db, query, entriesPerPage + 1)
  const entries = found.slice(0, entriesPerPage)
  return { entries, next: found.length > entriesPerPage ? (entries.at(-1)?.id ?? null) : null }
}

/** Issues the proof that `recordAct` requires for concessions. Only `authorizeConcession` calls it (checked by a test). */
export function issueAuthorization(concessionId: string): Authorization {
  return { concessionId } as Authorization
}

/** Issues the proof of a recent sign-in. Only `requireFreshPermission` calls it (checked by a test). */
export function freshSignIn(): FreshSignIn {
  return {} as FreshSignIn
}

/** Issues the proof of a program's scope. Only `requireFreshOrScope` calls it (checked by a test). */
export function programScope(): FreshOrScoped {
  return {} as FreshOrScoped
}
