/** Tests accepted responses and URLs that are never requested over real connections. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { OutgoingDocument } from '#domain/channels/purchasing/purchasing-system.port.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { childAt, parseXml } from '#platform/xml.ts'
import { createPurchasingSystems } from './purchasing-systems.ts'

const clock = fixedClock('2026-11-20T12:00:00Z')
const from = { domain: 'DUNS', identity: 'SIDEWALL' }
const document: OutgoingDocument = {
  payloadId: 'd-1@sidewall',
  kind: 'rejection',
  facts: {
    kind: 'rejection',
    words: 'The order was <canceled>.',
    buyerOrderId: 'PO-1',
    orderPayloadId: 'o-1',
    orderDate: '2026-11-20T12:00:00Z',
    orderNumber: 'S-1',
    at: '2026-11-20T12:00:00Z',
  },
  isTest: false,
  to: { domain: 'DUNS', identity: '1' },
  url: '',
  secret: 'their secret',
}

async function buyer(answer: (body: string) => { status: number; text: string }) {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    void Array.fromAsync(request).then((parts) => {
      const body = Buffer.concat(parts as Buffer[]).toString()
      bodies.push(body)
      const { status, text } = answer(body)
      response.writeHead(status).end(text)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return { origin, bodies, [Symbol.dispose]: () => void server.close() }
}

const status = (code: number) => ({
  status: 200,
  text: `<cXML payloadID="a" timestamp="b"><Response><Status code="${code}" text="T">words</Status></Response></cXML>`,
})

test('a document is taken by a Status below 300, with the secret and the words inside', async () => {
  using there = await buyer(() => status(200))
  const systems = createPurchasingSystems({ from, outgoing: createOutgoing({ trustedOrigin: there.origin }), clock })
  expect(await systems.send({ ...document, url: `${there.origin}/cxml` })).toEqual({ ok: true })
  const root = parseXml(there.bodies[0] ?? '')
  expect(root?.attributes['payloadID']).toBe('d-1@sidewall')
  expect(childAt(root, 'Header', 'Sender', 'Credential', 'SharedSecret')?.text).toBe('their secret')
  const header = childAt(root, 'Request', 'ConfirmationRequest', 'ConfirmationHeader')
  expect(header?.attributes['type']).toBe('reject')
  expect(childAt(header, 'Comments')?.text).toBe('The order was <canceled>.')
})

test.each([
  ['a Status of 500', status(500), 'It answered 500 words'],
  ['HTTP 503', { status: 503, text: '' }, 'It answered HTTP 503.'],
  ['a redirect', { status: 302, text: '' }, 'It answered HTTP 302.'],
  ['another document', { status: 200, text: '<html/>' }, 'It answered something else than cXML.'],
  ['an endless answer', { status: 200, text: 'x'.repeat(70_000) }, 'The answer is too long.'],
])('%s is not taken, and its words have no secret', async (_, answer, words) => {
  using there = await buyer(() => answer)
  const systems = createPurchasingSystems({ from, outgoing: createOutgoing({ trustedOrigin: there.origin }), clock })
  expect(await systems.send({ ...document, url: `${there.origin}/cxml` })).toEqual({ ok: false, words })
})

test('doesn’t call untrusted private addresses', async () => {
  using there = await buyer(() => status(200))
  const systems = createPurchasingSystems({ from, outgoing: createOutgoing({ trustedOrigin: null }), clock })
  expect(await systems.send({ ...document, url: `${there.origin}/cxml` })).toMatchObject({ ok: false })
  expect(await systems.send({ ...document, url: 'https://localhost/cxml' })).toMatchObject({ ok: false })
  expect(there.bodies).toEqual([])
})
