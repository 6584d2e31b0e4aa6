/** Audit log queries. */
import type { AuditField } from './audit-fields.ts'
import type { ActName, ConcessionAct, FreshOrScopedAct, FreshSignInAct, PlainAct } from './acts.ts'
import type { Database, Tx } from '#platform/db.ts'

/**
 * The actor is a staff member in the back office, a program with the scopes of its token, or a person running a command
 * on the server.
 */
export type Actor =
  | { via: 'office'; name: string; sessionId: string; networkKey: string }
  | { via: 'api'; name: string; clientId: string; scopes: readonly string[] }
  | { via: 'command line'; name: string }

/** Plain data that JSON can hold, by field. */
export type Recorded = Readonly<Partial<Record<AuditField, string | number | boolean | null>>>

declare const isIssued: unique symbol

/** Proof that the limits of staff allow a concession. Issued by `authorizeConcession` in domain/kernel/concessions. */
export type Authorization = { readonly concessionId: string; readonly [isIssued]: 'authorization' }

/** Proof of a recent sign-in. Issued by `requireFreshPermission`. */
export type FreshSignIn = { readonly [isIssued]: 'fresh sign-in' }

/** Proof of a recent sign-in, or of a program's scope. Issued by `requireFreshOrScope`. */
export type FreshOrScoped = FreshSignIn | { readonly [isIssued]: 'scope' }

/** An act for the audit log. Acts that give something away and acts that need a recent sign-in require their proof. */
export type Act = AnyAct &
  (
    | { act: PlainAct }
    | { act: ConcessionAct; authorization: Authorization }
    | { act: FreshSignInAct; fresh: FreshSignIn }
    | { act: FreshOrScopedAct; fresh: FreshOrScoped }
  )

/** Forbids fields that have no label in `auditFields`. */
export type OnlyAudited<Of extends Act> =
  Exclude<FieldsOf<Of, 'before'> | FieldsOf<Of, 'after'>, AuditField> extends never ? unknown : { after: AuditField }
type FieldsOf<Of, When extends 'before' | 'after'> = Of extends { readonly [Name in When]?: infer Values }
  ? KeysOf<NonNullable<Values>>
  : never
type KeysOf<Of> = Of extends unknown ? keyof Of : never

/** An act without the fields that its caller adds. */
export type ActWithout<Added extends keyof AnyAct> = DistributiveOmit<Act, Added>
type DistributiveOmit<Of, Key extends PropertyKey> = Of extends unknown ? Omit<Of, Key> : never

export type AnyAct = {
  /** `sign-in` is a person to whom their verified email gave access, outside any staff session. */
  by: Actor | { via: 'sign-in'; name: string }
  act: ActName
  /** The action's subject as a searchable text, such as an email or order number. */
  subject: string
  before?: Recorded | undefined
  after?: Recorded | undefined
  reason?: string | undefined
  at: Temporal.Instant
}

export async function insertEntry(tx: Tx, { by, act, subject, before, after, reason, at }: AnyAct): Promise<void> {
  await tx
    .insertInto('audit_entry')
    .values({
      at,
      actor: by.name,
      via: by.via,
      network_key: by.via === 'office' ? by.networkKey : null,
      act,
      subject,
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
      reason: reason ?? null,
    })
    .execute()
}

export type AuditQuery = {
  actor: string | null
  act: ActName | null
  subject: string | null
  from: Temporal.Instant | null
  until: Temporal.Instant | null
  /** Only entries older than this one. */
  before: number | null
}

export type AuditEntry = {
  id: number
  at: Temporal.Instant
  actor: string
  via: string
  networkKey: string | null
  act: string
  subject: string
  before: unknown
  after: unknown
  reason: string | null
}

/** Up to `count` entries, newest first. */
export function selectEntries(db: Database, query: AuditQuery, count: number): Promise<AuditEntry[]> {
  const { actor, act, subject, from, until, before } = query
  return db
    .selectFrom('audit_entry')
    .select(['id', 'at', 'actor', 'via', 'network_key as networkKey', 'act', 'subject', 'before', 'after', 'reason'])
    .$if(actor !== null, (select) => select.where('actor', '=', actor ?? ''))
    .$if(act !== null, (select) => select.where('act', '=', act ?? ''))
    .$if(subject !== null, (select) => select.where('subject', '=', subject ?? ''))
    .$if(from !== null, (select) => select.where('at', '>=', from))
    .$if(until !== null, (select) => select.where('at', '<', until))
    .$if(before !== null, (select) => select.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}
