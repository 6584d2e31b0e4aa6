/** Supplier feeds: kinds, states of a run, and changes that need confirmation. Safe in the browser. */
import type { Transitions } from '#platform/transitions.ts'

export const feedKinds = ['products', 'prices', 'stock', 'fitment'] as const
export type FeedKind = (typeof feedKinds)[number]

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

/** A dry run ends as `checked`. Only stock is published and rolled back in slices; other kinds are never half done. */
export const importLife: Transitions<RunState> = {
  reading: ['read', 'refused'],
  read: ['waiting-for-yes', 'publishing', 'published', 'refused', 'checked'],
  'waiting-for-yes': ['publishing', 'published', 'refused'],
  publishing: ['published'],
  published: ['rolling-back', 'rolled-back'],
  refused: [],
  checked: [],
  'rolling-back': ['rolled-back'],
  'rolled-back': [],
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
  | { kind: 'moves-prices'; count: number; biggest: readonly { sku: string; fromCents: number; toCents: number }[] }

export type Entity = 'brand' | 'product_line' | 'size' | 'item' | 'stock' | 'vehicle' | 'oe_fitment'
/** Catalog rows a run created, changed or removed. */
export type ChangeCount = { entity: Entity; action: 'created' | 'changed' | 'removed'; count: number }

export type ImportSummary = { changes?: readonly ChangeCount[]; warnings?: readonly Warning[] }

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
}

/** Whether a run can be resumed. */
export function canResume(run: Pick<ImportRun, 'state'>): boolean {
  return ['reading', 'read', 'waiting-for-yes', 'publishing'].includes(run.state)
}
