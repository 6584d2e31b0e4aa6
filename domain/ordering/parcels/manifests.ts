/** Manifests as staff see them. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'

export const manifestStates = ['requested', 'created', 'failed'] as const
export type ManifestState = (typeof manifestStates)[number]

export const manifestStateNames: Readonly<Record<ManifestState, string>> = {
  requested: 'Requested',
  created: 'Created',
  failed: 'Failed',
}

/** How many parcels one manifest has at most; the rest go on the next. */
export const maxManifestParcels = 500

/** "M-12" */
export function manifestNumber(id: number): string {
  return `M-${id}`
}

/** The form that requests manifests. The same `key` requests them once. */
export const manifestForm = z.object({
  warehouse: z.string('Choose a warehouse.').trim().min(1, 'Choose a warehouse.').max(10, 'Choose a warehouse.'),
  key: z.uuid('Reload the page.'),
})
export type ManifestRequest = z.output<typeof manifestForm>

/** Why a parcel is not on a manifest. */
export const parcelRefusals = {
  earlierDay: 'Its label is from an earlier day. The driver scans the label.',
  refused: 'The carrier doesn’t take it on a manifest. The driver scans the label.',
  leftOff: 'The carrier left it off the manifest. The driver scans the label.',
} as const

/** Why no manifest was requested, with what to do instead. */
export function noManifestText({ carriers, older }: { carriers: readonly string[]; older: number }): string {
  if (carriers.length > 0)
    return `Manifests aren’t available from ${carriers.join(' or ')}. The driver scans each label.`
  return older > 0
    ? `This warehouse’s labels are from an earlier day, which can’t be on a manifest (${countOf(older, 'parcel')}). The driver scans each label.`
    : 'No labeled parcels are waiting for a manifest in this warehouse. Buy labels first.'
}
