/** What the finder asks the store while one chooses. */
import { paths, withQuery } from '#app/paths.ts'

export type Choice = { slug: string; name: string; hasSizes: boolean }
/** `/finder/choices` with a year, make and model; with `brand`; or with `list=sizes`. */
export type VehicleChoices = { makes: Choice[]; models: Choice[]; trims: Choice[] }
export type LineChoices = { lines: { slug: string; name: string }[] }
export type SizeChoices = { sizes: string[] }

/** `/finder/size`: what is known of one size. */
export type SizeAnswer = SizeReadOut | { problem: string }
export type SizeReadOut = {
  size: string
  measures: { term: string; value: string }[]
  /** How many tires come in it. */
  count: number
  /** The tire that is drawn: the one that scores highest in this size. */
  drawn: { name: string; path: string; picture: { itemId: number; key: string } } | null
}

/** Asks `/finder/choices`; undefined when there is no answer, in which case the form still works without it. */
export function askChoices<Answer>(query: Record<string, string>, signal?: AbortSignal): Promise<Answer | undefined> {
  return ask<Answer>(withQuery(paths.finderChoices(), query), signal)
}

/** Asks what is known of a size, in any writing. */
export function askSize(size: string, signal?: AbortSignal): Promise<SizeAnswer | undefined> {
  return ask<SizeAnswer>(paths.finderSize(size), signal)
}

async function ask<Answer>(path: string, signal: AbortSignal | undefined): Promise<Answer | undefined> {
  try {
    const response = await fetch(path, { signal: signal ?? null, headers: { accept: 'application/json' } })
    return response.ok ? ((await response.json()) as Answer) : undefined
  } catch {
    // Chosen on, or no connection.
    return undefined
  }
}
