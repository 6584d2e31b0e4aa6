import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { createPlatformWire } from './platform-wire.ts'

test('addresses that may not be called are refused before anything is sent', async () => {
  const wire = createPlatformWire(createOutgoing({ trustedOrigin: null }))
  for (const address of [
    'http://agents.example.com/ucp',
    'https://127.0.0.1/ucp',
    'https://[::1]/ucp',
    'https://2130706433/ucp',
    'https://localhost/ucp',
    'https://agents.example.com:25/ucp',
    'https://user:pass@agents.example.com/ucp',
    'ftp://agents.example.com/ucp',
  ])
    expect(await wire.read(new URL(address)), address).toMatchObject({ ok: false, reason: 'refused' })
})

test('a document is read up to its limit, and no redirect is followed', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/profile' }).end()
    else if (request.url === '/large') response.end('x'.repeat(200_000))
    else response.setHeader('cache-control', 'public, max-age=120').end('{"ucp":{}}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const wire = createPlatformWire(createOutgoing({ trustedOrigin: null, trustsThisMachine: true }))
  const at = (path: string) => new URL(`http://127.0.0.1:${port}${path}`)
  try {
    expect(await wire.read(at('/profile'))).toEqual({ ok: true, value: { text: '{"ucp":{}}', maxAgeSeconds: 120 } })
    expect(await wire.read(at('/moved'))).toMatchObject({ reason: 'unreachable' })
    expect(await wire.read(at('/large'))).toMatchObject({ reason: 'too-large' })
    expect(await wire.send(at('/hook'), { headers: {}, body: Buffer.from('{}') })).toMatchObject({ ok: true })
    expect(await wire.send(at('/moved'), { headers: {}, body: Buffer.from('{}') })).toMatchObject({ ok: false })
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
