/** Form fields of content, prices, and offers that start and end at set times. Safe in the browser. */
import { storeZone } from '#platform/store-zone.ts'
import { z } from 'zod'

/** Reads "2026-12-01T00:00" as a time in the store's zone; undefined for anything else. */
export function storeInstant(text: string): Temporal.Instant | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return undefined
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toZonedDateTime(storeZone).toInstant()
  } catch {
    return undefined
  }
}

/** A day and time of a form, in the store's zone. */
export const storeTime = (message: string) =>
  z.string(message).transform((typed, issues) => {
    const instant = storeInstant(typed)
    if (instant) return instant
    issues.addIssue({ code: 'custom', message })
    return z.NEVER
  })
