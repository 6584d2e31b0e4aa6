/** Charge disputes, synced from the provider and answered by staff with the store's data about the sale. */
import type { DisputeState } from '#domain/payments/payments/provider-records.port.ts'
import type { Database } from '#platform/db.ts'
import {
  selectByState,
  selectDispute,
  selectEvents,
  selectFileNames,
  selectOpenDisputes,
  type Dispute,
} from './disputes.sql.server.ts'

export { acceptDispute, closeWarning, noteDispute, submitEvidence } from './answer-disputes.server.ts'
export type { Dispute } from './disputes.sql.server.ts'
export { readPacket, type EvidenceSheet, type PacketPart } from './evidence.server.ts'
export type { DisputeRefusal } from './open-dispute.server.ts'
export { addEvidenceFile } from './evidence-files.server.ts'
export { hearOfDispute } from './hear-disputes.server.ts'

type Deps = { db: Database }

/** Finds a dispute with what happened to it. */
export async function findDispute(
  { db }: Deps,
  id: number,
): Promise<
  | {
      dispute: Dispute
      events: Awaited<ReturnType<typeof selectEvents>>
      files: Awaited<ReturnType<typeof selectFileNames>>
    }
  | undefined
> {
  const dispute = await selectDispute(db, id)
  return dispute && { dispute, events: await selectEvents(db, id), files: await selectFileNames(db, id) }
}

/** Disputes that wait for an answer, due first. */
export function listOpenDisputes({ db }: Deps, limit: number): Promise<Dispute[]> {
  return selectOpenDisputes(db, limit)
}

const disputesPerPage = 50

/** Lists a page of disputes by state, newest first; `next` is the cursor of the following page. */
export async function listDisputes(
  { db }: Deps,
  { state, before }: { state: DisputeState; before: number | null },
): Promise<{ disputes: Dispute[]; next: number | null }> {
  const found = await selectByState(db, { state, before, limit: disputesPerPage + 1 })
  const disputes = found.slice(0, disputesPerPage)
  return { disputes, next: found.length > disputesPerPage ? (disputes.at(-1)?.id ?? null) : null }
}
