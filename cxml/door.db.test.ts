/**
 * Tests the endpoint without sockets. Floods, repeats, wrong dates, and broken documents get a cXML response and never
 * a server error.
 */
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openApi } from '#api/api.testing.ts'
import { createCxml, documentsPerMinute } from '#cxml/app.ts'
import { acmeTerms, givePurchasing, type PurchasingStore } from '#domain/channels/purchasing/purchasing.testing.ts'
import { childAt, parseXml } from '#platform/xml.ts'
import { sampleDocument, sampleItem, sampleOrder, samplePunchout, type Sample } from './samples.testing.ts'

/** A store with two companies that buy by cXML. */
async function openDoor() {
  const api = await openApi()
  const store = { ...api.app, db: api.database.db } as unknown as PurchasingStore
  let door = createCxml(api.app)
  const acme = await givePurchasing(store)
  const other = await givePurchasing(store, { ...acmeTerms, identity: '080000002' }, 'otto@other.example')
  let network = 0
  return {
    api,
    acme: { secret: acme.secret },
    other: { secret: other.secret, identity: '080000002' },
    /** Simulates another process with empty counters. */
    restart: () => void (door = createCxml(api.app)),
    /** Posts a document, each from its own network unless one is given. */
    async post(body: string, address = `10.${(network += 1) >> 16}.${(network >> 8) & 255}.${network & 255}`) {
      const answer = await door.request(
        '/cxml',
        { method: 'POST', body, headers: { 'content-type': 'text/xml; charset=utf-8' } },
        { incoming: { socket: { remoteAddress: address } } },
      )
      const text = await answer.text()
      const status = childAt(parseXml(text), 'Response', 'Status')
      return {
        text,
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        code: Number(status?.attributes['code']),
      }
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}

const profile = (sample: Sample) => sampleDocument('<ProfileRequest/>', sample)

test('a payload ID identifies one document per company, and a repeat returns the original response', async () => {
  await using door = await openDoor()
  const first = await door.post(profile({ ...door.acme, payloadId: 'same' }))
  expect((await door.post(profile({ ...door.acme, payloadId: 'same' }))).text).toBe(first.text)
  const order = sampleDocument(sampleOrder([{ partId: 'A', quantity: 1, unitCents: 1 }]), {
    ...door.acme,
    payloadId: 'same',
  })
  expect((await door.post(order)).text).toBe(first.text)
  const others = await door.post(profile({ ...door.other, payloadId: 'same' }))
  expect(others.code).toBe(200)
  expect(others.text).not.toBe(first.text)
  // Setting the clock back doesn't change that.
  door.api.clock.set(door.api.clock.now().subtract({ hours: 5 }))
  expect((await door.post(profile({ ...door.acme, payloadId: 'same' }))).text).toBe(first.text)
})

test('uses the time of receipt because a sender’s clock may be wrong', async () => {
  await using door = await openDoor()
  for (const [index, timestamp] of ['1999-01-01T00:00:00Z', '2199-12-31T23:59:59+14:00', 'soon', ''].entries()) {
    const document = profile({ ...door.acme, payloadId: `skew-${index}` })
    const sent = document.replace(/timestamp="[^"]*"/, `timestamp="${timestamp}"`)
    expect((await door.post(sent)).code, timestamp).toBe(200)
  }
})

test('rate-limits wrong secrets per network and documents per company without affecting others', async () => {
  await using door = await openDoor()
  const wrong = profile({ secret: 'wrong', payloadId: 'w' })
  for (let count = 0; count < rateLimits['purchasing-document'].counts.network; count += 1)
    expect((await door.post(wrong, '192.0.2.1')).code).toBe(401)
  const waits = await door.post(profile({ ...door.acme, payloadId: 'right' }), '192.0.2.1')
  expect(waits.code).toBe(560)
  expect(Number(waits.retryAfter)).toBeGreaterThan(0)

  for (let count = 0; count < documentsPerMinute; count += 1)
    expect((await door.post(profile({ ...door.acme, payloadId: `f-${count}` }))).code).toBe(200)
  const flooded = await door.post(profile({ ...door.acme, payloadId: 'one more' }))
  expect(flooded.status).toBe(200)
  expect(flooded.code).toBe(560)
  expect(Number(flooded.retryAfter)).toBeGreaterThan(0)
  expect((await door.post(profile({ ...door.other, payloadId: 'of another' }))).code).toBe(200)
})

test('whatever is broken in a document, the answer is a Status and never a failure', async () => {
  await using door = await openDoor()
  const lines = [{ partId: 'A', quantity: 1, unitCents: 1 }]
  const whole = [
    sampleOrder(lines, { taxCents: 1, extrinsics: '<Extrinsic name="InstallAt">SW-00001</Extrinsic>' }),
    samplePunchout({ operation: 'edit', items: sampleItem({ partId: 'A', quantity: 1, unitCents: 1 }, 1) }),
    '<StatusUpdateRequest><DocumentReference payloadID="d"/><Status code="200" text="OK"/></StatusUpdateRequest>',
    '<ProfileRequest/>',
  ].map((request) => sampleDocument(request, door.other))
  const value = fc.oneof(
    fc.constantFrom('', '-1', '0', '1e400', '99999999999999999999', 'NaN', "' or 1=1 --", '../../etc', '&amp;&#x202e;'),
    fc.string({ maxLength: 8, unit: 'grapheme' }).map((text) => text.replaceAll(/[<>&"]/g, '')),
    fc.constant('x'.repeat(5_000)),
  )
  const changes = fc.record({
    document: fc.nat(whole.length - 1),
    payloadId: fc.uuid(),
    // Values stay well-formed, so that they get past the reader; cuts mostly do not.
    values: fc.array(fc.record({ nth: fc.nat(60), value }), { minLength: 1, maxLength: 3 }),
    cut: fc.option(fc.record({ at: fc.nat(2_500), length: fc.nat(40) }), { freq: 3, nil: null }),
  })
  const seen = new Set<number>()
  for (const [index, { document, payloadId, values, cut }] of fc
    .sample(changes, { seed: 77, numRuns: 360 })
    .entries()) {
    if (index % documentsPerMinute === 0) door.restart()
    let text = (whole[document] ?? '').replace('p-1@buyer.example', payloadId)
    for (const { nth, value: put } of values) {
      const texts = [...text.matchAll(/(?<=>)[^<>]+(?=<\/)|(?<==")[^"]*(?=")/g)].slice(3)
      const at = texts[nth % texts.length]
      if (at) text = text.slice(0, at.index) + put + text.slice(at.index + at[0].length)
    }
    if (cut) text = text.slice(0, cut.at) + text.slice(cut.at + cut.length)
    const { status, code } = await door.post(text)
    seen.add(code)
    expect(status, text).toBe(200)
    expect([200, 401, 406, 409, 450], text).toContain(code)
  }
  for (const code of [200, 401, 406, 450]) expect([...seen]).toContain(code)
})
