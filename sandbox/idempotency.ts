import { createHash } from 'node:crypto'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Collection, Store } from './store.ts'

export type SavedAnswer = { status: ContentfulStatusCode; body: object; requestId: string }
/** A request with a key. The response is null while the request is in progress. */
type KeyUse = { key: string; fingerprint: string; answer: SavedAnswer | null }

export type IdempotencyKeys = {
  /** 'fresh' if the key was not used lately; otherwise the status of its request. */
  find(key: string, fingerprint: string): 'fresh' | 'other-request' | 'in-use' | SavedAnswer
  put(key: string, fingerprint: string, answer: SavedAnswer | null): void
  /** Deletes keys that are no longer kept. */
  forgetOld(): void
}

/**
 * Remembers the answer to each request that came with an idempotency key, for 24 hours unless told otherwise:
 * https://docs.stripe.com/api/idempotent_requests Keys still in progress when the process ended are freed at the next
 * start.
 */
export function createIdempotencyKeys(
  store: Store,
  kind: string,
  now: () => Temporal.Instant,
  keptHours = 24,
): IdempotencyKeys {
  const uses: Collection<KeyUse> = store.collection(kind)
  for (const use of uses.list({ limit: 100_000 })) if (use.answer === null) uses.remove(use.key)

  return {
    find(key, fingerprint) {
      const use = uses.get(key)
      if (!use) return 'fresh'
      if (use.fingerprint !== fingerprint) return 'other-request'
      return use.answer ?? 'in-use'
    },
    put(key, fingerprint, answer) {
      uses.put(key, { key, fingerprint, answer }, now().add({ hours: keptHours }))
    },
    forgetOld() {
      for (let old = uses.nextDue(now()); old; old = uses.nextDue(now())) uses.remove(old.id)
    },
  }
}

/** Equal for two requests with the same method, path and body. */
export function fingerprintOf(method: string, path: string, body: string): string {
  return createHash('sha256').update(`${method} ${path}\n${body}`).digest('hex')
}
