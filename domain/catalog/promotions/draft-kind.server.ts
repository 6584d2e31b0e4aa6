/** Drafts of promotions, coupons, and rebates, which are locked, changed, and discarded in the same way. */
import { declineConcession } from '#domain/kernel/concessions/concessions.server.ts'
import { recordAct, requirePermission, type Actor, type Recorded } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }
type Versioned = { version: number }
type By = { by: string; at: Temporal.Instant }

export type NotADraft = Refused<'not-allowed'> | Refused<'gone'> | Refused<'other-state'> | Refused<'changed-meanwhile'>

/** How one kind of draft is stored and recorded. `noun` is what audit entries name, before the id. */
type DraftKind<Row, Change, Refusal extends Refused<string, unknown>> = {
  kind: 'promotion' | 'coupon' | 'rebate'
  noun: string
  lock: (tx: Tx, id: number) => Promise<Row | undefined>
  isDraft: (row: Row) => boolean
  /** Checks and saves the new terms of a locked draft. */
  save: (tx: Tx, row: Row, change: Change, by: By) => Promise<Outcome<null, Refusal>>
  remove: (tx: Tx, id: number) => Promise<void>
  /** Returns the values in audit entries. */
  recorded: {
    name: (row: Row) => Recorded
    before: (row: Row) => Recorded
    after: (terms: Omit<Change, 'version'>) => Recorded
  }
}

/**
 * Locks, changes, and discards drafts. Each refuses `gone`, `other-state` for one that was scheduled, and
 * `changed-meanwhile` if another version was read. The last two withdraw the request for its approval.
 */
export function draftsOf<Row extends Versioned, Change extends Versioned, Refusal extends Refused<string, unknown>>({
  kind,
  noun,
  recorded,
  ...stored
}: DraftKind<Row, Change, Refusal>) {
  async function lock(
    tx: Tx,
    by: Actor,
    { id, version }: { id: number; version?: number },
    at: Temporal.Instant,
  ): Promise<Outcome<Row, NotADraft>> {
    const row = await stored.lock(tx, id)
    const permitted = await requirePermission(tx, by, 'promotions.edit', at)
    if (!permitted.ok) return permitted
    if (!row) return refused('gone')
    if (!stored.isDraft(row)) return refused('other-state')
    return version === undefined || row.version === version ? ok(row) : refused('changed-meanwhile')
  }

  // Rebates need no approval, because the manufacturer pays them.
  const declineRequest = (tx: Tx, id: number, by: By) =>
    kind === 'rebate' ? undefined : declineConcession(tx, { kind, reference: String(id), ...by })

  async function changeWithin(
    tx: Tx,
    by: Actor,
    { id, change, at }: { id: number; change: Change; at: Temporal.Instant },
  ): Promise<Outcome<null, NotADraft | Refusal>> {
    const locked = await lock(tx, by, { id, version: change.version }, at)
    if (!locked.ok) return locked
    const saved = await stored.save(tx, locked.value, change, { by: by.name, at })
    if (!saved.ok) return saved
    await declineRequest(tx, id, { by: by.name, at })
    const { version: _, ...terms } = change
    const [before, after] = [recorded.before(locked.value), recorded.after(terms)]
    await recordAct(tx, { by, act: `${kind}.changed`, subject: `${noun} ${id}`, before, after, at })
    return ok(null)
  }

  return {
    lock,
    changeWithin,
    change: ({ db, clock }: Deps, by: Actor, id: number, change: Change) =>
      db.transaction().execute((tx) => changeWithin(tx, by, { id, change, at: clock.now() })),
    discard: ({ db, clock }: Deps, by: Actor, id: number) =>
      db.transaction().execute(async (tx): Promise<Outcome<null, NotADraft>> => {
        const at = clock.now()
        const locked = await lock(tx, by, { id }, at)
        if (!locked.ok) return locked
        await stored.remove(tx, id)
        await declineRequest(tx, id, { by: by.name, at })
        const before = recorded.name(locked.value)
        await recordAct(tx, { by, act: `${kind}.discarded`, subject: `${noun} ${id}`, before, at })
        return ok(null)
      }),
  }
}
