import { expect, test } from 'vitest'
import { answer, type Call, type Operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { openApi } from './api.testing.ts'
import { answerOnce } from './once.ts'

test.each(['together', 'again'] as const)(
  'what went wrong on our side is not kept under a key, and what was refused is (%s)',
  async (by) => {
    await using api = await openApi()
    const answers = [
      problem('PaymentUnavailable', 'Not now.'),
      problem('NoCart', 'There is none.'),
      answer({ done: true }),
    ]
    let calls = 0
    const handle = () => Promise.resolve(answers[calls++] ?? expect.fail('It was called once too often.'))
    const operation = { audience: 'cart', once: { isRequired: true, by }, handle } as unknown as Operation
    const call = { app: api.app, caller: { cartId: 'a cart' }, query: {}, body: {} } as unknown as Call<
      unknown,
      unknown,
      unknown
    >
    const send = (key: string) =>
      answerOnce(operation, call, {
        method: 'POST',
        path: '/cart/payment',
        header: (name: string) => (name === 'idempotency-key' ? key : undefined),
      })

    expect(await send('one')).toMatchObject({ ok: false, code: 'PaymentUnavailable' })
    expect(await send('one')).toMatchObject({ ok: false, code: 'NoCart' })
    expect(await send('one')).toMatchObject({ ok: false, code: 'NoCart', headers: { 'idempotent-replayed': 'true' } })
    expect(calls).toBe(2)
    expect(await send('two')).toMatchObject({ ok: true, value: { done: true } })
    expect(await send('two')).toMatchObject({
      ok: true,
      value: { done: true },
      headers: { 'idempotent-replayed': 'true' },
    })
    expect(calls).toBe(3)
  },
)
