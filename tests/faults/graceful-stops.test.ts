/** Tests that web processes asked to stop under load finish open requests, and that no shopper notices. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { longTimeouts, type ReadyCart } from './ready-cart.ts'
import { holdLock, openStartedStore, type StartedStore } from './started-store.ts'

let store: StartedStore
beforeAll(async () => {
  // Two connections for each concurrent visitor.
  store = await openStartedStore({ env: { DATABASE_POOL: '40', ...longTimeouts } })
})
afterAll(() => store[Symbol.asyncDispose]())

test('asked to stop under load, the web process finishes all open requests', async () => {
  // Its periodic jobs would wait for the same lock, and be counted as requests.
  await store.stop('worker')
  let stopped: Promise<number | null> | undefined
  const answers: Promise<{ status: number; length: number }>[] = []
  {
    // Every cart request is blocked in two statements, one for its cart and one for the header's count.
    await using _lock = await holdLock(store.db, 'lock table cart in access exclusive mode')
    for (let count = 0; count < 20; count++) answers.push(readCart(crypto.randomUUID()))
    await store.someoneWaits(answers.length * 2)
    stopped = store.stop('web')
    await noMoreTaken()
  }
  for (const answer of await Promise.all(answers))
    expect(answer).toEqual({ status: 200, length: expect.any(Number) as number })
  expect(await stopped).toBe(0)
  await Promise.all([store.revive('web'), store.revive('worker')])
  expect((await fetch(`${store.origin}/healthz`)).status).toBe(200)
})

test('asked to stop during an order, the web process completes it, and does not wait for idle connections', async () => {
  using idle = await keepConnection()
  const cart = await store.prepare()
  let pressed: ReturnType<typeof store.press>
  let stopped: Promise<number | null>
  {
    await using _lock = await holdLock(store.db, `select from stock where item_id = ${store.itemId} for update`)
    pressed = store.press(cart)
    await store.someoneWaits()
    stopped = store.stop('web')
    await noMoreTaken()
  }
  expect(await pressed).toEqual({ orderId: (await store.ordersOf(cart))[0] })
  expect(await stopped).toBe(0)
  await eventually('end of the idle connection', async () => idle.closed)
  await store.revive('web')
})

test('two web processes are restarted in turn under load without any shopper noticing', async () => {
  await store.revive('second')
  const origins = [store.origin, store.secondOrigin]
  const carts: ReadyCart[] = []
  while (carts.length < 12) carts.push(await store.prepare())
  const isOver = new AbortController()
  const statuses = new Set<number>()
  const visitors = Array.from({ length: 4 }, async (_, visitor) => {
    for (let round = visitor; !isOver.signal.aborted; round++) {
      const answer = await balance(origins, round, (origin) =>
        fetch(`${origin}/cart`, { headers: { cookie: `sw_cart=${crypto.randomUUID()}`, connection: 'close' } }),
      )
      statuses.add(answer.status)
      await answer.text()
      // Without a pause, the visitors would take the processors from the restarts.
      await sleep(20)
    }
  })
  const presses = carts.map(async (cart, index) => {
    await sleep(index * 250)
    return balance(origins, index, (origin) => store.press(cart, origin))
  })
  for (const name of ['web', 'second'] as const) {
    expect(await store.stop(name)).toBe(0)
    await store.revive(name)
  }
  const placed = await Promise.all(presses)
  isOver.abort()
  await Promise.all(visitors)
  for (const [index, cart] of carts.entries())
    expect([placed[index]]).toEqual((await store.ordersOf(cart)).map((orderId) => ({ orderId })))
  expect([...statuses]).toEqual([200])
  expect(await store.stop('second')).toBe(0)
})

/** Acts like a load balancer and uses the other process if one refuses connections. */
async function balance<Answer>(
  origins: readonly string[],
  turn: number,
  ask: (origin: string) => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask(origins[(turn + attempt) % origins.length] ?? '')
    } catch (error) {
      if (attempt === 5) throw error
    }
  }
}

/** Resolves when the web process accepts no new connections. */
async function noMoreTaken(): Promise<void> {
  await eventually('end of listening', () =>
    fetch(`${store.origin}/healthz`, { headers: { connection: 'close' } }).then(
      () => false,
      () => true,
    ),
  )
}

/** A connection used once and kept alive, as in browsers. */
async function keepConnection(): Promise<{ readonly closed: boolean } & Disposable> {
  const { port } = new URL(store.origin)
  const socket = connect(Number(port), 'localhost')
  const answered = once(socket, 'data')
  socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await answered
  return {
    get closed() {
      return socket.closed
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

async function readCart(cartId: string): Promise<{ status: number; length: number }> {
  const answer = await fetch(`${store.origin}/cart`, { headers: { cookie: `sw_cart=${cartId}` } })
  const text = await answer.text()
  expect(text).toContain('</html>')
  return { status: answer.status, length: text.length }
}
