import { expect, test } from 'vitest'
import { inTurn } from '../tools/rotation.testing.ts'
import { blockedOrigins } from './origins.ts'

/** Whether this runtime's `fetch` refuses the port before it connects. */
async function fetchBlocks(port: number): Promise<boolean> {
  const error: unknown = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'error' }).then(
    (response) => response.body?.cancel(),
    (reason: unknown) => reason,
  )
  return error instanceof TypeError && error.cause instanceof Error && error.cause.message === 'bad port'
}

test('blocks exactly the ports that fetch blocks, up to 10,100', async () => {
  const ports = Array.from({ length: 10_100 }, (_, index) => index + 1).filter((port) => port !== 80)
  const tried = inTurn(ports, { always: (port) => blockedOrigins({ PORT: port, SANDBOX_PORT: 4001 }).length > 0 })
  const different: number[] = []
  for (let at = 0; at < tried.length; at += 200)
    await Promise.all(
      tried.slice(at, at + 200).map(async (port) => {
        if (blockedOrigins({ PORT: port, SANDBOX_PORT: 4001 }).length > 0 !== (await fetchBlocks(port)))
          different.push(port)
      }),
    )
  expect(different).toEqual([])
})

test('names the variable that sets the blocked port', () => {
  expect(blockedOrigins({ PORT: 6000, SANDBOX_PORT: 6665 })).toEqual([
    { name: 'PORT', port: 6000 },
    { name: 'SANDBOX_PORT', port: 6665 },
  ])
  expect(
    blockedOrigins({
      PORT: 6000,
      PUBLIC_ORIGIN: 'https://tires.example',
      SANDBOX_PORT: 4001,
      SANDBOX_ORIGIN: 'http://localhost:10080',
    }),
  ).toEqual([{ name: 'SANDBOX_ORIGIN', port: 10_080 }])
})
