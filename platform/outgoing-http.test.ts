/** Tests refused URLs for requests to third parties, and which address decides. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createOutgoing, type Resolve } from './outgoing-http.ts'
import { isPublicAddress } from './public-address.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const message = { headers: { 'content-type': 'application/json' }, body: '{}' }

test.for([
  ['8.8.8.8', true],
  ['172.32.0.1', true],
  ['2606:4700::1111', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.31.255.255', false],
  ['192.168.0.1', false],
  ['169.254.169.254', false],
  ['100.100.100.200', false],
  ['168.63.129.16', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['::ffff:8.8.8.8', false],
  ['::ffff:127.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001:0:1::', false],
  ['fe80::1', false],
  ['fd00:ec2::254', false],
  ['example.com', false],
  ['', false],
] as const)('the address %s is public: %s', ([address, isPublic]) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})

test.for([
  ['https://hooks.example.com/a', null],
  ['https://8.8.8.8/a', null],
  ['http://hooks.example.com/a', 'not-https'],
  ['ftp://hooks.example.com/a', 'bad-address'],
  ['nothing', 'bad-address'],
  ['https://ann:secret@hooks.example.com/', 'bad-address'],
  [`https://hooks.example.com/${'a'.repeat(2_000)}`, 'bad-address'],
  ['https://localhost/', 'private-address'],
  ['https://db.internal/', 'private-address'],
  ['https://intranet/', 'private-address'],
  ['https://127.0.0.1/', 'private-address'],
  // Other ways to write the same.
  ['https://2130706433/', 'private-address'],
  ['https://0x7f.1/', 'private-address'],
  ['https://127.1/', 'private-address'],
  ['https://[::1]/', 'private-address'],
  ['https://[::ffff:10.0.0.1]/', 'private-address'],
] as const)('%s at first sight: %s', ([url, fault]) => {
  expect(createOutgoing({ trustedOrigin: null }).refuse(url)).toBe(fault)
})

test('a host name is validated by its resolved address on each connection', async () => {
  let requests = 0
  const origin = await listen((_, response) => {
    requests++
    response.end()
  })
  const answers = [['169.254.169.254'], ['93.184.215.14', '10.0.0.8'], ['::1']]
  const asked: string[] = []
  const resolve: Resolve = (hostname, done) => {
    asked.push(hostname)
    const addresses = answers[asked.length - 1] ?? []
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  const outgoing = createOutgoing({ trustedOrigin: null, resolve })
  const { port } = new URL(origin)
  for (const _ of answers)
    expect(await outgoing.post({ ...message, url: `https://rebinds.example:${port}/` })).toEqual({
      ok: false,
      fault: 'private-address',
    })
  expect(asked).toEqual(['rebinds.example', 'rebinds.example', 'rebinds.example'])
  expect(requests).toBe(0)
})

test('a name without an address is unresolved', async () => {
  const failing: Resolve = (_, done) => done(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), [])
  const outgoing = createOutgoing({ trustedOrigin: null, resolve: failing })
  expect(await outgoing.post({ ...message, url: 'https://nowhere.example/' })).toEqual({
    ok: false,
    fault: 'unresolved',
  })
})

test('the trusted origin is called over http, and no other one of the machine', async () => {
  const heard: string[] = []
  const origin = await listen((request, response) => {
    heard.push(`${request.method} ${request.url}`)
    response.end('taken')
  })
  const outgoing = createOutgoing({ trustedOrigin: origin })
  expect(await outgoing.post({ ...message, url: `${origin}/a` })).toMatchObject({
    ok: true,
    status: 200,
    body: 'taken',
    isCut: false,
  })
  expect(await outgoing.post({ ...message, url: 'http://127.0.0.1:1/a' })).toEqual({ ok: false, fault: 'not-https' })
  expect(heard).toEqual(['POST /a'])
})

test('redirects are answers, long answers are cut, and silence ends', async () => {
  const heard: string[] = []
  const origin = await listen((request, response) => {
    heard.push(request.url ?? '')
    if (request.url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end()
    if (request.url === '/long') response.end('x'.repeat(300_000))
    if (request.url === '/broken') {
      response.writeHead(200, { 'content-length': '10' })
      response.write('x')
      setImmediate(() => response.destroy())
    }
  })
  const outgoing = createOutgoing({ trustedOrigin: origin })
  expect(await outgoing.post({ ...message, url: `${origin}/moved` })).toMatchObject({ ok: true, status: 302 })
  const long = await outgoing.post({ ...message, url: `${origin}/long`, maxBytes: 1_000 })
  expect(long).toMatchObject({ ok: true, isCut: true, body: 'x'.repeat(1_000) })
  expect(await outgoing.post({ ...message, url: `${origin}/silent`, timeoutMs: 500 })).toEqual({
    ok: false,
    fault: 'timeout',
  })
  expect(await outgoing.post({ ...message, url: `${origin}/broken` })).toEqual({ ok: false, fault: 'broken-answer' })
  expect(heard).toEqual(['/moved', '/long', '/silent', '/broken'])
})
