import { expect, test } from 'vitest'
import { startDnsServer } from '#tests/support/dns-server.ts'
import { createDnsHostProof } from './host-proof.ts'

test('the texts of a name are read, one that is not there has none, and without an answer nothing is known', async () => {
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
