/** Shoppers who look at pages by a timetable, and how long they wait. */
import { setTimeout as later } from 'node:timers/promises'
import { paths } from '#content/paths.ts'
import { activeItems } from '#tests/support/items.ts'
import type { RunningStore } from '#tests/support/store.ts'

/** Milliseconds. */
export type Waits = { p50: number; p99: number; longest: number }

/** Returns the median, the 99th percentile, and the maximum of `waits`. */
export function waitsOf(waits: readonly number[]): Waits {
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { p50: at(0.5), p99: at(0.99), longest: at(1) }
}

/**
 * Requests the pages in turn, 20 a second, until stopped. Every second request is from a visitor with a ZIP code, for
 * whom the page is rendered. Other responses are in `failures`, as are the problems found by `follow`.
 */
export function browse(
  pagesOf: () => readonly string[],
  follow: (html: string) => Promise<string | undefined> = () => Promise.resolve(undefined),
) {
  const over = new AbortController()
  const failures: string[] = []
  const waits: number[] = []
  const visits: Promise<void>[] = []

  async function visit(number: number): Promise<void> {
    const pages = pagesOf()
    const page = pages[number % pages.length] ?? ''
    const from = performance.now()
    try {
      const headers = Math.floor(number / pages.length) % 2 === 1 ? { cookie: 'sw_zip=60614' } : {}
      const answer = await fetch(page, { headers, redirect: 'manual' })
      const html = await answer.text()
      if (answer.status !== 200) failures.push(`${page}: ${answer.status}`)
      else {
        const fault = await follow(html)
        if (fault) failures.push(`${page}: ${fault}`)
      }
    } catch (error) {
      failures.push(`${page}: ${String(error)} ${String(error instanceof Error ? error.cause : '')}`)
    }
    waits.push(performance.now() - from)
  }
  const running = (async () => {
    const began = performance.now()
    for (let number = 0; !over.signal.aborted; number += 1) {
      await later(Math.max(0, began + number * 50 - performance.now()))
      visits.push(visit(number))
    }
  })()
  return {
    failures,
    /** How many were answered. */
    answered: () => waits.length,
    async stop(): Promise<Waits> {
      over.abort()
      await running
      await Promise.all(visits)
      return waitsOf(waits)
    },
  }
}

/** The home page, sizes and articles, those on sale among them. */
export async function pagesOf({
  origin,
  database: { db },
}: Pick<RunningStore, 'origin' | 'database'>): Promise<string[]> {
  const items = await activeItems(db).orderBy('item.id').limit(8).execute()
  return [
    '/',
    '/tire-sizes/225-65r17',
    '/tire-sizes/205-55r16',
    ...items.map(({ brand, line, id }) => paths.item(brand, line, id)),
    '/learn',
  ].map((path) => origin + path)
}
