/** Tires arriving at a shop are counted or scanned, and reported if missing or damaged. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import {
  readShopPhoto,
  type PhotoRefusal,
  type PortalActor,
  type Sender,
  type SentPhoto,
} from '#domain/installer-portal/portal/portal.server.ts'
import { isId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { withJob, type JobDeps, type JobRefusal } from './job.server.ts'
import { insertReport } from './shop-reports.sql.server.ts'
import type { PieceReportKind } from './shop-report-terms.ts'
import { workOrderLife } from './work-order-life.ts'
import { insertJobEvent, selectArticles, selectPieces, upsertPieces } from './work-orders.sql.server.ts'

type Deps = Pick<JobDeps, 'db' | 'clock'>
type CountRefusal =
  | JobRefusal
  | Refused<'line-not-found'>
  | Refused<'all-counted'>
  | Refused<'none-counted'>
  | Refused<'over'>

/**
 * Counts one piece more or less of a line; `scanned` is the article number on a tire's label instead of the line. Refuses
 * `line-not-found`, `all-counted` and `none-counted`, and `over` once the job has ended.
 */
export function countPiece(
  deps: Deps,
  by: PortalActor,
  { bookingId, ...asked }: { bookingId: string } & ({ lineNo: number; change: 1 | -1 } | { scanned: string }),
): Promise<Outcome<{ received: number }, CountRefusal>> {
  return withJob<Outcome<{ received: number }, CountRefusal>>(
    deps,
    by,
    bookingId,
    async (tx, { lines, row, memberId, at }) => {
      if (workOrderLife[row.state].length === 0) return refused('over')
      const counted = await selectPieces(tx, bookingId)
      let found = 'lineNo' in asked ? lines.filter(({ lineNo }) => lineNo === asked.lineNo) : []
      if ('scanned' in asked) {
        const articles = await selectArticles(
          tx,
          lines.map(({ itemId }) => itemId),
        )
        const scanned = asked.scanned.trim().toUpperCase()
        found = lines.filter(({ itemId }) => articles.get(itemId)?.sku.toUpperCase() === scanned)
      }
      // An item may be on two lines, so the first incomplete line is used.
      const line = found.find(({ lineNo, quantity }) => (counted.get(lineNo) ?? 0) < quantity) ?? found[0]
      if (!line) return refused('line-not-found')
      const received = (counted.get(line.lineNo) ?? 0) + ('change' in asked ? asked.change : 1)
      if (received < 0) return refused('none-counted')
      if (received > line.quantity) return refused('all-counted')
      await upsertPieces(tx, { bookingId, lineNo: line.lineNo, received, at })
      const note = `${received} of ${line.quantity} ${line.description}`.slice(0, 500)
      await insertJobEvent(tx, { bookingId, what: 'pieces', memberId, note, at })
      return ok({ received })
    },
  )
}

export type PieceReport = {
  bookingId: string
  /** The form it came from. */
  key: string
  kind: PieceReportKind
  lineNo: number
  pieces: number
  note: string | null
  photo: SentPhoto | null
}
type ReportRefusal =
  | JobRefusal
  | Refused<'line-not-found'>
  | Refused<'too-many-pieces'>
  | Refused<'no-photo'>
  | PhotoRefusal

/**
 * Reports pieces of a line as short or damaged to the office; damage needs a photo, and photos are re-encoded.
 * Submitting a form twice makes one report.
 */
export async function reportPieces(
  deps: Deps & { rateLimits: RateLimits },
  by: PortalActor,
  { bookingId, key, kind, lineNo, pieces, note, photo }: PieceReport,
  sender: Sender,
): Promise<Outcome<{ id: number }, ReportRefusal>> {
  if (!isId(key)) return refused('line-not-found')
  if (kind === 'damaged' && !photo) return refused('no-photo')
  const read = await readShopPhoto(deps.rateLimits, photo, sender)
  if (!read.ok) return read
  return withJob<Outcome<{ id: number }, ReportRefusal>>(
    deps,
    by,
    bookingId,
    async (tx, { lines, order, memberId, at }) => {
      const line = lines.find((each) => each.lineNo === lineNo)
      if (!line) return refused('line-not-found')
      if (pieces > line.quantity) return refused('too-many-pieces')
      const reported = {
        bookingId,
        shopId: by.shopId,
        orderId: order.id,
        kind,
        lineNo,
        pieces,
        note,
        photo: read.value,
      }
      const { id, isNew } = await insertReport(tx, { ...reported, key, memberId, at })
      if (isNew) {
        const words = `${pieces} ${kind}: ${line.description}`.slice(0, 500)
        await insertJobEvent(tx, { bookingId, what: 'reported', memberId, note: words, at })
      }
      return ok({ id })
    },
  )
}
