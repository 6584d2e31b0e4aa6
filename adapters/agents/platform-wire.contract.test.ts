import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createPlatformWire, isPublic } from './platform-wire.ts'

test('only addresses of the public internet are called', () => {
  const called = (address: string) => isPublic(address)
  expect(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111'].map(called)).toEqual([true, true, true, true])
  const never =
    '127.0.0.1 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 198.18.0.1 ::1 :: fe80::1 fd00::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 2001:db8::1 localhost'.split(
      ' ',
    )
  expect(never.filter(called)).toEqual([])
})

test('addresses that may not be called are refused before anything is sent', async () => {
  const wire = createPlatformWire({ allowsLocal: false })
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
  const wire = createPlatformWire({ allowsLocal: true })
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
