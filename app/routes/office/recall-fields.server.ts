/** Reads the TIN ranges of a recall from the form's file, or from its text field. */
import { longestRanges, readRanges } from '#domain/installer-portal/work-orders/work-orders.ts'

type Ranges = ReturnType<typeof readRanges>

/** Refuses a file that is larger than any list of ranges without reading it. */
export async function rangesOf(fields: URLSearchParams, file: File | null): Promise<Ranges> {
  if (file && file.size > longestRanges) return { ok: false, faults: ['This file is too large for a list of ranges.'] }
  return readRanges(file ? new TextDecoder().decode(await file.arrayBuffer()) : (fields.get('ranges') ?? ''))
}

/** The fields by name; a file is not sent back. */
export function typedOf(fields: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...fields].filter(([name]) => name !== 'file'))
}
