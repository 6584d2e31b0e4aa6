import { expect, test } from 'vitest'
import { startDnsServer } from '#tests/support/dns-server.ts'
import { createDnsHostProof } from './host-proof.ts'

test('reads TXT records of a host, returns an empty list for a missing host, and reports an unanswered lookup as unknown', async () => {
  const server = await startDnsServer(new Map([['_sidewall.tires.example', ['v=spf1 -all', 'sidewall-store=abc']]]))
  const proof = createDnsHostProof({ servers: [server.address] })
  expect(await proof.texts('_sidewall.tires.example')).toEqual({
    ok: true,
    value: ['v=spf1 -all', 'sidewall-store=abc'],
  })
  expect(await proof.texts('_sidewall.other.example')).toEqual({ ok: true, value: [] })
  await server[Symbol.asyncDispose]()
  expect(await proof.texts('_sidewall.tires.example')).toEqual({ ok: false, reason: 'unavailable' })
})
