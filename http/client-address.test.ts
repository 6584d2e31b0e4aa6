import { expect, test } from 'vitest'
import { clientAddress, networkOf, parseAddress } from './client-address.ts'

const from = (
  socketAddress: string | undefined,
  value: string | null,
  proxyHops: number,
  forwardedHeader: 'x-forwarded-for' | 'forwarded' = 'x-forwarded-for',
) =>
  clientAddress({
    socketAddress,
    header: (name) => (name === forwardedHeader ? (value ?? undefined) : '6.6.6.6'),
    config: { web: { proxyHops }, forwardedHeader },
  })

test('ignores the header without proxies, and reads the entry of the outermost proxy otherwise', () => {
  expect(from('10.0.0.1', '1.1.1.1', 0)).toBe('10.0.0.1')
  expect(from('10.0.0.1', '6.6.6.6, 2.2.2.2', 1)).toBe('2.2.2.2')
  expect(from('10.0.0.1', '6.6.6.6, 2.2.2.2, 3.3.3.3', 2)).toBe('2.2.2.2')
  expect(from('10.0.0.1', null, 1)).toBe('10.0.0.1')
  expect(from(undefined, null, 0)).toBe('unknown')
})

test.for<[written: string, address: string]>([
  ['203.0.113.7:50123', '203.0.113.7'],
  ['[2001:db8::7]:50123', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['unknown', '10.0.0.1'],
  ['_hidden', '10.0.0.1'],
  ['203.0.113.7:x', '10.0.0.1'],
  ['203.0.113.999', '10.0.0.1'],
  ['<script>', '10.0.0.1'],
  ['', '10.0.0.1'],
])('X-Forwarded-For %s comes from %s', ([written, address]) => {
  expect(from('10.0.0.1', `6.6.6.6, ${written}`, 1)).toBe(address)
})

test.for<[value: string, hops: number, address: string]>([
  ['for=203.0.113.7', 1, '203.0.113.7'],
  ['For="203.0.113.7:4711";proto=https;by=203.0.113.43', 1, '203.0.113.7'],
  ['for=6.6.6.6, proto=http;for="[2001:db8:cafe::17]:4711"', 1, '2001:db8:cafe::17'],
  ['for=6.6.6.6, for=203.0.113.7, for=10.0.0.2', 2, '203.0.113.7'],
  ['for="a,b", for=203.0.113.7', 1, '203.0.113.7'],
  ['for=6.6.6.6, for=unknown', 1, '10.0.0.1'],
  ['for=6.6.6.6, for=_secret', 1, '10.0.0.1'],
  ['for=6.6.6.6, proto=https', 1, '10.0.0.1'],
])('Forwarded %s through %i proxies comes from %s', ([value, hops, address]) => {
  expect(from('10.0.0.1', value, hops, 'forwarded')).toBe(address)
})

test('every port of one address counts as one network', () => {
  const networks = [1, 50_123, 65_535].map((port) => networkOf(from('10.0.0.1', `203.0.113.7:${port}`, 1)))
  expect(new Set(networks)).toEqual(new Set(['203.0.113.7']))
})

test.for<[string, string]>([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::9', '2001:db8:1:2'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2'],
  ['2001:db8::5', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['unknown', 'unknown'],
])('%s counts as %s', ([address, network]) => {
  expect(networkOf(address)).toBe(network)
})

test('reads no address from other text', () => {
  for (const text of ['', ':', '[]', '[1.2.3.4]', '[::1', '::1]', '1.2.3', 'example.com', '1.2.3.4 5'])
    expect(parseAddress(text)).toBeUndefined()
})
