/** A dispute pending an answer, locked for an actor with permission. */
import type { Files } from '#domain/kernel/files/file-store.port.ts'
import { requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Config } from '#platform/config.ts'
import type { Tx } from '#platform/db.ts'
import { refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { lockDispute, type Dispute } from './disputes.sql.server.ts'
import type { EvidenceSheet } from './evidence.server.ts'
import type { DisputeDeps } from './hear-disputes.server.ts'

export type AnswerDeps = DisputeDeps & {
  config: Pick<Config, 'session' | 'web' | 'store'>
  files: Files
  evidencePdf(sheet: EvidenceSheet): Promise<Uint8Array>
}

export type DisputeRefusal =
  | Refused<'not-allowed'>
  | Refused<'dispute-not-found'>
  | Refused<'answered'>
  | Refused<'no-order'>
  | Refused<'provider-away'>
  | Refused<'provider-refused', { message: string }>

export type About = { id: number; by: Actor }

/** Runs `work` on the locked dispute while it is pending an answer. */
export function onOpenDispute<Value>(
  { db, clock }: Pick<AnswerDeps, 'db' | 'clock'>,
  { id, by }: About,
  work: (tx: Tx, dispute: Dispute, at: Temporal.Instant) => Promise<Outcome<Value, DisputeRefusal>>,
): Promise<Outcome<Value, DisputeRefusal>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'disputes.answer', at)
    if (!permitted.ok) return permitted
    const dispute = await lockDispute(tx, id)
    if (!dispute) return refused('dispute-not-found')
    return dispute.state === 'needs-response' ? work(tx, dispute, at) : refused('answered')
  })
}
