import { createServer } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { isPublicAddress, postToPublic, RefusedAddress } from './outgoing-http.ts'

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2001:db8::1',
  '2002:7f00:1::',
  'localhost',
  '',
])('%s is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '192.0.1.1', '2606:4700::1111'])('%s is one', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

const post = { body: 'a', headers: {}, timeoutMs: 5_000, longestAnswer: 10, trusted: [] }

test.each([
  'http://example.com/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:7f00:1]/',
  'https://localhost/',
])('%s is not asked', async (address) => {
  await expect(postToPublic(address, post)).rejects.toThrow(RefusedAddress)
})

test('a trusted origin is asked, no redirect is followed, and a long answer is cut off', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (request.url === '/long') response.end('x'.repeat(11))
    else response.writeHead(302, { location: '/long' }).end('short')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const trusted = { ...post, trusted: [origin] }
  expect(await postToPublic(`${origin}/a`, trusted)).toEqual({ status: 302, text: 'short' })
  await expect(postToPublic(`${origin}/long`, trusted)).rejects.toThrow('too long')
  expect(asked).toEqual(['POST /a', 'POST /long'])
  await expect(postToPublic(`${origin}/a`, post)).rejects.toThrow(RefusedAddress)
  server.close()
})
