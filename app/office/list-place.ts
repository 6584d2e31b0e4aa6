/** The start of a list page in its URL, made of a row's time and id. */

/** "2026-11-20T15:00:00Z_12" */
export function placeText(at: Temporal.Instant, id: number | string): string {
  return `${at.toString()}_${id}`
}

/** Reads `placeText`; null for anything else. */
export function readPlace(text: string | null): { at: Temporal.Instant; id: string } | null {
  const found = /^(\d{4}-\d\d-\d\dT[\d:.]{5,18}Z)_(\d{1,15}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
    text?.slice(0, 90) ?? '',
  )
  if (!found?.[1] || !found[2]) return null
  try {
    return { at: Temporal.Instant.from(found[1]), id: found[2] }
  } catch {
    return null
  }
}

/** The same for a row with an integer id. */
export function readRowPlace(text: string | null): { at: Temporal.Instant; id: number } | null {
  const place = readPlace(text)
  const id = Number(place?.id)
  return place && Number.isSafeInteger(id) && id < 2 ** 31 ? { at: place.at, id } : null
}
