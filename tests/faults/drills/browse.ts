/** Shoppers who look at pages by a timetable, and how long they wait. */
import { setTimeout as later } from 'node:timers/promises'

/** Milliseconds. */
export type Waits = { p50: number; p99: number; longest: number }

/** Sorts `waits` into what half, what all but a hundredth, and what nobody waited longer than. */
export function waitsOf(waits: readonly number[]): Waits {
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { p50: at(0.5), p99: at(0.99), longest: at(1) }
}

/**
 * Asks for the pages in turn, 20 a second, until stopped; every second page by a visitor with a ZIP, for whom it is
 * rendered. Any other answer than the page is in `failures`.
 */
export function browse(pagesOf: () => readonly string[]) {
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
      await answer.arrayBuffer()
      if (answer.status !== 200) failures.push(`${page}: ${answer.status}`)
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
    async stop(): Promise<Waits> {
      over.abort()
      await running
      await Promise.all(visits)
      return waitsOf(waits)
    },
  }
}
