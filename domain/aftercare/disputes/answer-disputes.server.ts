/**
 * Staff actions on disputes (adding notes and evidence, accepting, and closing warnings). Each applies once, with an
 * audit entry.
 */
import type { DisputeRecords } from '#domain/payments/payments/provider-records.port.ts'
import { recordAct } from '#domain/kernel/staff/staff.server.ts'
import { ok, refused, type Outcome } from '#platform/outcome.ts'
import { disputeNumber } from './disputes.ts'
import { drawProofs, readEvidenceFiles } from './evidence-files.server.ts'
import {
  insertEvent,
  insertFile,
  selectDispute,
  updateNotes,
  updateState,
  updateToSubmitted,
  type Dispute,
} from './disputes.sql.server.ts'
import { readEvidence } from './evidence.server.ts'
import { applyDispute } from './hear-disputes.server.ts'
import { onOpenDispute, type About, type AnswerDeps, type DisputeRefusal } from './open-dispute.server.ts'

/** Stores staff notes for the evidence. */
export function noteDispute(
  deps: AnswerDeps,
  { id, by, notes }: About & { notes: string },
): Promise<Outcome<void, DisputeRefusal>> {
  return onOpenDispute(deps, { id, by }, async (tx, dispute, at) => {
    if (dispute.notes !== notes) {
      await updateNotes(tx, id, notes, at)
      await recordAct(tx, { by, act: 'dispute.noted', subject: disputeNumber(id), at })
    }
    return ok(undefined)
  })
}

/**
 * Submits the evidence once. It is stored first, so that a retry after a crash sends the same evidence under the same
 * key. The provider's response is then applied.
 */
export async function submitEvidence(
  deps: AnswerDeps,
  { id, by, notes }: About & { notes: string },
): Promise<Outcome<void, DisputeRefusal>> {
  const before = await selectDispute(deps.db, id)
  if (!before) return refused('dispute-not-found')
  if (before.orderId === null) return refused('no-order')
  const evidence = before.evidence ?? (await readEvidence(deps, before.orderId, notes))
  if (!evidence) return refused('no-order')
  const proofs = before.submittedAt === null ? await drawProofs(deps, before.orderId) : []
  const kept = await onOpenDispute(deps, { id, by }, async (tx, dispute, at) => {
    if (dispute.kind === 'warning') return refused('answered')
    if (dispute.submittedAt !== null) return ok(dispute.evidence ?? evidence)
    await updateNotes(tx, id, notes, at)
    for (const file of proofs) await insertFile(tx, id, file, { by: 'store', at })
    await updateToSubmitted(tx, id, { evidence, by: by.name, at })
    await insertEvent(tx, { disputeId: id, at, actor: by.name, words: 'Sent the evidence.' })
    await recordAct(tx, { by, act: 'dispute.answered', subject: disputeNumber(id), at })
    return ok(evidence)
  })
  if (!kept.ok) return kept
  const files = await readEvidenceFiles(deps, id)
  return tellProvider(deps, before, (records) =>
    records.answerDispute({ ref: before.ref, evidence: kept.value, files, key: `dispute:${id}` }),
  )
}

/** Accepts a dispute as lost, which leaves the money with the customer. */
export async function acceptDispute(deps: AnswerDeps, { id, by }: About): Promise<Outcome<void, DisputeRefusal>> {
  const kept = await onOpenDispute(deps, { id, by }, async (tx, dispute, at) => {
    if (dispute.kind === 'warning') return refused('answered')
    await insertEvent(tx, { disputeId: id, at, actor: by.name, words: 'Accepted it.' })
    await recordAct(tx, { by, act: 'dispute.accepted', subject: disputeNumber(id), at })
    return ok(dispute)
  })
  if (!kept.ok) return kept
  const { value: dispute } = kept
  return tellProvider(deps, dispute, (records) =>
    records.acceptDispute({ ref: dispute.ref, key: `dispute-accept:${id}` }),
  )
}

/** Closes a warning that staff have reviewed, because the order was refunded, canceled, or found legitimate. */
export function closeWarning(
  deps: AnswerDeps,
  { id, by, note }: About & { note: string },
): Promise<Outcome<void, DisputeRefusal>> {
  return onOpenDispute(deps, { id, by }, async (tx, dispute, at) => {
    if (dispute.kind !== 'warning') return refused('answered')
    await updateState(tx, id, 'closed', at)
    await insertEvent(tx, { disputeId: id, at, actor: by.name, words: `Closed the warning. ${note}` })
    await recordAct(tx, {
      by,
      act: 'dispute.warning-closed',
      subject: disputeNumber(id),
      reason: note || 'No note',
      at,
    })
    return ok(undefined)
  })
}

async function tellProvider(
  deps: AnswerDeps,
  { provider }: Dispute,
  tell: (records: DisputeRecords) => ReturnType<DisputeRecords['readDispute']>,
): Promise<Outcome<void, DisputeRefusal>> {
  const records = deps.paymentRecords[provider]
  if (!records || !('readDispute' in records)) return refused('provider-away')
  const said = await tell(records)
  if (!said.ok)
    return said.reason === 'unavailable'
      ? refused('provider-away')
      : refused('provider-refused', { message: said.message.slice(0, 300) })
  await applyDispute(deps, provider, said.value)
  return ok(undefined)
}
