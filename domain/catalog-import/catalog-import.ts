/** Supplier feeds: kinds, the life of a run, and what asks for a yes. Safe in the browser. */
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

/**
 * `checked` is how a dry run ends. Only stock is published and rolled back in slices; other kinds never stand between.
 */
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

/** A feed that takes away more than this share of what it speaks of is more often broken than meant. */
export const largestLossPercent = 20
/** A price that moves by more than this share is more often a typing error than a decision. */
export const largestMovePercent = 25

/** What a run does that somebody should have looked at. */
export type Warning =
  | { kind: 'deactivates'; count: number; of: number; examples: readonly string[] }
  | { kind: 'empties-stock'; count: number; of: number; examples: readonly string[] }
  | { kind: 'removes-fitments'; count: number; of: number; examples: readonly string[] }
  | { kind: 'moves-prices'; count: number; biggest: readonly { sku: string; fromCents: number; toCents: number }[] }

export type Entity = 'brand' | 'product_line' | 'size' | 'item' | 'stock' | 'vehicle' | 'oe_fitment'
/** Rows of a table of the catalog that a run created, changed or removed. */
export type ChangeCount = { entity: Entity; action: 'created' | 'changed' | 'removed'; count: number }

export type ImportSummary = { changes?: readonly ChangeCount[]; warnings?: readonly Warning[] }

export type ImportRun = {
  readonly id: number
  readonly kind: FeedKind
  readonly mode: ImportMode
  readonly isDry: boolean
  readonly state: RunState
  readonly fileName: string
  /** Rows that say something, the header not among them. */
  readonly rowCount: number
  readonly refusedCount: number
  readonly summary: ImportSummary
  readonly startedAt: Temporal.Instant
  readonly finishedAt: Temporal.Instant | null
}

/** Runs that `resume` goes on with. */
export function canResume(run: Pick<ImportRun, 'state'>): boolean {
  return ['reading', 'read', 'waiting-for-yes', 'publishing'].includes(run.state)
}
