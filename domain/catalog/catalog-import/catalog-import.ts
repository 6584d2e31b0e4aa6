/** Kinds, run states, and changes that need confirmation for supplier feeds. Safe in the browser. */
import { isPersonal, type FeedKind } from './feed-kinds.ts'
export {
  importActForm,
  importFileForm,
  importUploadForm,
  longestColumn,
  longestImportReason,
  sizeListRemovalForm,
} from './office-form.ts'
export { pictureProblems, type PictureProblem } from './import-pictures.ts'
export { type LineField, type TireField } from './tire-fields.ts'
import type { Transitions } from '#platform/transitions.ts'

export { feedKinds, supplierKinds, type FeedKind, type SupplierKind } from './feed-kinds.ts'

/** `all-or-nothing`: one bad row refuses the file. `per-row`: the good rows are published without it. */
export type ImportMode = 'all-or-nothing' | 'per-row'

export type RunState =
  | 'reading'
  | 'read'
  | 'waiting-for-yes'
  | 'publishing'
  | 'published'
  | 'refused'
  | 'checked'
  | 'rolling-back'
  | 'rolled-back'
  | 'discarded'

/** A dry run ends as `checked`. Only stock is published and rolled back in slices; other kinds are never half done. */
export const importLife: Transitions<RunState> = {
  reading: ['read', 'refused', 'discarded'],
  read: ['waiting-for-yes', 'publishing', 'published', 'refused', 'checked', 'discarded'],
  'waiting-for-yes': ['reading', 'publishing', 'published', 'refused', 'discarded'],
  publishing: ['published'],
  published: ['rolling-back', 'rolled-back'],
  refused: ['reading'],
  checked: [],
  'rolling-back': ['rolled-back'],
  'rolled-back': [],
  discarded: [],
}

/** A feed that removes more than this share of what it covers is more likely broken than intended. */
export const largestLossPercent = 20
/** A price change above this share is more likely a typo than a decision. */
export const largestMovePercent = 25

/** A change that someone should confirm. */
export type Warning =
  | { kind: 'deactivates'; count: number; of: number; examples: readonly string[] }
  | { kind: 'empties-stock'; count: number; of: number; examples: readonly string[] }
  | { kind: 'removes-fitments'; count: number; of: number; examples: readonly string[] }
  | { kind: 'removes-brand-fitments'; count: number; of: number; examples: readonly string[] }
  | { kind: 'raises-minimums'; count: number; examples: readonly string[] }
  | { kind: 'moves-prices'; count: number; biggest: readonly { sku: string; fromCents: number; toCents: number }[] }

/**
 * Tires that a run would advertise below their minimum advertised price, up to 100 of them with row, price and minimum.
 * `isRefused`: they keep their present prices; else pages show "See price in cart".
 */
export type BelowMap = { isRefused: boolean; count: number; examples: readonly string[] }

export type Entity =
  | 'brand'
  | 'product_line'
  | 'size'
  | 'item'
  | 'stock'
  | 'vehicle'
  | 'oe_fitment'
  | 'size_list'
  | 'vehicle_code'
  | 'competitor_price'
  | 'brand_catalog'
  | 'brand_fitment'
/** Catalog rows a run created, changed or removed. */
export type ChangeCount = { entity: Entity; action: 'created' | 'changed' | 'removed'; count: number }

/** The changes a run makes to the catalog, row by row, in merchant terms. */
export const differenceKinds = [
  'new',
  'gone',
  'back',
  'price-up',
  'price-down',
  'below-map',
  'price-in-cart',
  'facts',
  'new-brand',
  'new-line',
  'line-facts',
  'stock-up',
  'stock-down',
  'new-vehicle',
  'vehicle-facts',
  'new-size',
  'removed-size',
  'size-facts',
  'brand-fitment-added',
  'brand-fitment-removed',
  'part-not-carried',
  'part-withdrawn',
  'code-added',
  'code-changed',
  'competitor-price-added',
  'competitor-price-changed',
  'new-customer',
  'known-customer',
  'new-order',
  'known-order',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/**
 * One row of the difference. It describes a SKU, brand, model, or vehicle, with its readable value before and after.
 */
export type DifferenceRow = { kind: DifferenceKind; place: number; what: string; was: string; becomes: string }
export type DifferenceCount = { kind: DifferenceKind; count: number }

/** `difference` and `previewedAt` (an instant) are set where the run stopped for a preview. */
export type ImportSummary = {
  changes?: readonly ChangeCount[]
  warnings?: readonly Warning[]
  belowMap?: BelowMap
  difference?: readonly DifferenceCount[]
  previewedAt?: string
}

/** Why a request of the office was not carried out, or not completely (`below-minimum`, of a rollback). */
export type ImportAnswer =
  | { reason: 'not-allowed' }
  | { reason: 'different-now' }
  | { reason: 'in-the-way'; constraint: string }
  | ({ reason: 'below-minimum' } & BelowMap)
  | { reason: 'changed-since'; laterRuns: readonly { runId: number; rows: number }[]; otherwise: number }

export type ImportRun = {
  readonly id: number
  readonly kind: FeedKind
  readonly mode: ImportMode
  readonly isDry: boolean
  readonly state: RunState
  readonly fileName: string
  /** Nonempty rows, without the header. */
  readonly rowCount: number
  readonly refusedCount: number
  readonly summary: ImportSummary
  readonly startedAt: Temporal.Instant
  readonly finishedAt: Temporal.Instant | null
  /** Null for runs from before this was recorded. */
  readonly startedBy: string | null
  /** The worker's outstanding request. */
  readonly asked: 'publish' | 'roll-back' | null
  /** Why the last request was not carried out. */
  readonly answer: ImportAnswer | null
}

/** The largest file that can be uploaded; larger ones are packed with gzip first. */
export const maxUploadBytes = 32 * 1024 * 1024

/** Limits of a feed, checked while it is read. Ten times the largest catalog we know of, and far from what a server lacks. */
export const feedLimits = {
  /** Rows with the header, also empty ones. */
  maxRows: 2_000_000,
  maxUnpackedBytes: 1024 ** 3,
  /** Unpacked bytes for each packed one. Tables of SKUs reach 20; gzip's own maximum is 1,032. */
  maxPackingRatio: 100,
} as const
export type FeedLimits = { [Name in keyof typeof feedLimits]: number }

/**
 * The maximum number of refused rows that are stored. A file above it is refused in every mode. Its other refused rows
 * are only counted, so their tires are unknown.
 */
export const maxStagedRefusals = 10_000

/** Returns whether a run can be canceled or discarded, which requires that it hasn't published anything. */
export function canDiscard(run: Pick<ImportRun, 'state'>): boolean {
  return ['reading', 'read', 'waiting-for-yes'].includes(run.state)
}

/**
 * Whether the file of a run can be read and checked again, after what it was refused for was changed. Its file must
 * still be stored.
 */
export function canCheckAgain(run: Pick<ImportRun, 'state' | 'refusedCount' | 'asked'>): boolean {
  return run.asked === null && (run.state === 'refused' || (run.state === 'waiting-for-yes' && run.refusedCount > 0))
}

/**
 * Whether a run can be rolled back. Customers may have ordered since, and are erased one by one; past orders are corrected
 * by importing them again.
 */
export function canRollBack(run: Pick<ImportRun, 'state' | 'kind'>): boolean {
  return run.state === 'published' && !isPersonal(run.kind)
}

/** Whether the worker has something to do for this run. */
export function isAtWork(run: Pick<ImportRun, 'state' | 'asked'>): boolean {
  return run.asked !== null || ['reading', 'read', 'publishing', 'rolling-back'].includes(run.state)
}

/** Whether a run can be resumed. */
export function canResume(run: Pick<ImportRun, 'state'>): boolean {
  return ['reading', 'read', 'waiting-for-yes', 'publishing'].includes(run.state)
}
