/** Idempotency-Key, by the body's raw bytes. The same bytes get the same response, and others get 409. */
import { BadCall, fault, type TransportFault } from '#ucp/answers.ts'
import { onceAgain } from '#platform/idempotency.ts'
import type { Application } from '#application'

export type Reply = { status: number; body: string }

/** Runs `work` once for a key of the platform; without a key, each time. */
export async function answerOnce(
  app: Application,
  call: { key: string | undefined; scope: readonly string[]; bytes: Uint8Array },
  work: () => Promise<Reply>,
): Promise<Reply & { isReplayed?: boolean }> {
  const { key } = call
  if (key === undefined) return work()
  if (!/^[!-~]{1,255}$/.test(key))
    throw new BadCall(fault(400, 'invalid_request', 'An Idempotency-Key has 1 to 255 characters without spaces.'))
  const keyed = { scope: ['ucp', ...call.scope].join('\n'), key, request: Buffer.from(call.bytes).toString('latin1') }
  const outcome = await onceAgain(
    app.db,
    keyed,
    () => app.clock.now(),
    async () => {
      const { status, body } = await work()
      return { answer: { status, headers: {}, body }, isKept: status < 500 }
    },
  )
  if (!outcome.ok) throw new BadCall(refusal(outcome))
  const { answer, isReplayed } = outcome.value
  return { status: answer.status, body: answer.body ?? '', isReplayed }
}

function refusal(
  refused: { reason: 'key-reused' } | { reason: 'in-progress'; detail: { seconds: number } },
): TransportFault {
  return refused.reason === 'key-reused'
    ? fault(409, 'idempotency_conflict', 'This key was sent with another body. Use a new key for a new request.')
    : fault(409, 'idempotency_in_progress', 'The same request is still running. Send it again in a moment.', {
        'retry-after': String(refused.detail.seconds),
      })
}
