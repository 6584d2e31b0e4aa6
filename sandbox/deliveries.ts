import { currentCause } from './cause.ts'
import { newId } from './ids.ts'
import type { Collection, Store } from './store.ts'

export type Stream = 'payments' | 'carrier' | 'lender' | 'paypal' | 'resolve'

/** One message to the store, retried until the store answers 2xx or the attempts are used up. */
export type Delivery = {
  id: string
  stream: Stream
  /** The event or shipment it is about, for display. */
  about: string
  type: string
  body: string
  state: 'waiting' | 'delivered' | 'given-up'
  attempts: number
  /** The last attempt's HTTP status or error message. */
  lastAnswer: string | null
  /** Of the call that it comes of, if that is traced. */
  traceparent?: string | undefined
}

/** `headers` sign the body. */
export type Target = { url: string | null; headers(body: string): Record<string, string> }

export type Deliveries = {
  /** Queues a message to the store. Skipped without a target URL. */
  enqueue(stream: Stream, message: { about: string; type: string; body: unknown; dueAt: Temporal.Instant }): void
  /** Sends due messages, one at a time within each stream, the streams in parallel. */
  sendDue(): Promise<void>
  /** Newest first. */
  list(stream: Stream): Delivery[]
}

const maxAttempts = 12
const answerWithinMs = 10_000

export function createDeliveries(
  store: Store,
  targets: Record<Stream, Target>,
  now: () => Temporal.Instant,
  stopped: AbortSignal,
): Deliveries {
  const queues = {
    payments: store.collection<Delivery>('payments-delivery'),
    carrier: store.collection<Delivery>('carrier-delivery'),
    lender: store.collection<Delivery>('lender-delivery'),
    paypal: store.collection<Delivery>('paypal-delivery'),
    resolve: store.collection<Delivery>('resolve-delivery'),
  }

  return {
    enqueue(stream, { about, type, body, dueAt }) {
      if (targets[stream].url === null) return
      const delivery: Delivery = {
        id: newId('dl_'),
        stream,
        about,
        type,
        body: jsonOf(body),
        state: 'waiting',
        attempts: 0,
        lastAnswer: null,
        traceparent: currentCause(),
      }
      queues[stream].put(delivery.id, delivery, dueAt)
    },
    async sendDue() {
      const streams = Object.keys(queues) as Stream[]
      await Promise.all(streams.map((stream) => drain(queues[stream], targets[stream], now, stopped)))
    },
    list(stream) {
      return queues[stream].list({ limit: 10_000 })
    },
  }
}

async function drain(
  queue: Collection<Delivery>,
  target: Target,
  now: () => Temporal.Instant,
  stopped: AbortSignal,
): Promise<void> {
  let due = queue.nextDue(now())
  while (due && !stopped.aborted) {
    const answer = await send(due.body, target, stopped)
    // A shutdown during sending isn't the store's failure. The message stays due and is sent after the next start.
    if (stopped.aborted) return
    const attempts = due.body.attempts + 1
    const state = answer.accepted ? 'delivered' : attempts < maxAttempts ? 'waiting' : 'given-up'
    const retryAt = state === 'waiting' ? now().add({ seconds: secondsBeforeRetry(attempts) }) : null
    queue.put(due.id, { ...due.body, state, attempts, lastAnswer: answer.words }, retryAt)
    due = queue.nextDue(now())
  }
}

async function send(
  delivery: Delivery,
  target: Target,
  stopped: AbortSignal,
): Promise<{ accepted: boolean; words: string }> {
  if (target.url === null) return { accepted: false, words: 'no address to send to' }
  try {
    const response = await fetch(target.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...target.headers(delivery.body),
        ...(delivery.traceparent !== undefined && { traceparent: delivery.traceparent }),
      },
      body: delivery.body,
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(answerWithinMs)]),
    })
    await response.body?.cancel()
    return { accepted: response.ok, words: String(response.status) }
  } catch (error) {
    return { accepted: false, words: error instanceof Error ? error.message : String(error) }
  }
}

/** Serializes JSON like EasyPost. Weights have a decimal point, which its SDK requires. */
function jsonOf(body: unknown): string {
  return JSON.stringify(body).replaceAll(/("weight":\d+)(?=[,}])/g, '$1.0')
}

/** 1 s, 2 s, 4 s … at most 15 minutes: the twelve attempts span about half an hour. */
function secondsBeforeRetry(attempts: number): number {
  return Math.min(2 ** (attempts - 1), 900)
}
