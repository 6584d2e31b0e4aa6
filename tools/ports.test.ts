import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findFreePort, isAccepting, requirePorts } from './ports.ts'

test('a port in use is refused with advice', async () => {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }

  await expect(requirePorts({ PORT: port })).rejects.toThrow(
    `Port ${port} is taken by another program. End that program, or set PORT to another port.`,
  )
  expect(await isAccepting(port)).toBe(true)
  server.close()
})

test('a port released a moment later is accepted', async () => {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  setTimeout(() => server.close(), 300)

  await requirePorts({ PORT: port })
})

test('the same port for two purposes is refused', async () => {
  const port = await findFreePort()

  await expect(requirePorts({ PORT: port, SANDBOX_PORT: port })).rejects.toThrow(
    `PORT and SANDBOX_PORT are both ${port}. Give them different ports.`,
  )
})

test('accepts free ports without listeners', async () => {
  const port = await findFreePort()

  await requirePorts({ PORT: port })
  expect(await isAccepting(port)).toBe(false)
})
