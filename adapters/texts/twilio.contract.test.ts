/** The store and the sandbox speak Twilio's protocol, held to its published description (fixtures/twilio-messages.json). */
import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import twilio from 'twilio'
import { expect, test } from 'vitest'
import { startReceiver, startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createTwilioTexts } from './twilio.ts'

const [port = 0] = await freePorts(4)
const phone = '+13125550142'
const { twilioAccountSid: accountSid, twilioAuthToken: authToken } = testSecrets
const since = Temporal.Instant.from('2026-06-15T11:59:00Z')

type Description = {
  createRequest: { required: string[]; properties: Record<string, unknown> }
  listParameters: { name: string }[]
  listResponse: object
  schemas: Record<string, { properties?: Record<string, unknown> }>
}
const description = JSON.parse(
  await readFile(new URL('fixtures/twilio-messages.json', import.meta.url), 'utf8'),
) as Description
const ajv = new Ajv({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'twilio', components: { schemas: { ...description.schemas, list: description.listResponse } } })

/** Problem with a response by the description, unknown and missing fields included. */
function faultsOf(name: string, answer: unknown): string[] {
  const check = ajv.compile({ $ref: `twilio#/components/schemas/${name}` })
  const known = Object.keys(description.schemas[name]?.properties ?? {})
  const own = Object.keys(answer as object)
  const odd =
    known.length === 0
      ? []
      : [...own.filter((each) => !known.includes(each)), ...known.filter((each) => !own.includes(each))]
  return check(answer)
    ? odd
    : [...odd, ...(check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)]
}

const textsAt = (apiOrigin: string, webOrigin = 'https://store.example', from = 'MG0123456789abcdef0123456789abcdef') =>
  createTwilioTexts({ accountSid, authToken, from, apiOrigin, webOrigin })

const ask = (sandbox: TestSandbox, method: 'GET' | 'POST', fields: Record<string, string>) => {
  const query = new URLSearchParams(fields)
  const url = `${sandbox.origin}/2010-04-01/Accounts/${accountSid}/Messages.json`
  return fetch(method === 'GET' ? `${url}?${query.toString()}` : url, {
    method,
    headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
    ...(method === 'POST' && { body: query }),
  })
}

test('requests match Twilio’s description', async () => {
  await using receiver = await startReceiver(port)
  const texts = textsAt(`http://127.0.0.1:${port}`)
  await texts.send({ to: phone, body: 'Hello' })
  await texts.find({ to: phone, body: 'Hello', since })
  await textsAt(`http://127.0.0.1:${port}`, 'https://store.example', '+18005550142').send({ to: phone, body: 'Hello' })
  const [sent, listed, byNumber] = receiver.received
  for (const request of [sent, byNumber]) {
    const fields = [...new URLSearchParams(request?.body).keys()]
    expect(request?.path).toBe(`/2010-04-01/Accounts/${accountSid}/Messages.json`)
    expect(fields.filter((name) => !(name in description.createRequest.properties))).toEqual([])
    expect(fields).toEqual(expect.arrayContaining(description.createRequest.required))
  }
  const asked = new URL(listed?.path ?? '', 'http://x')
  const known = description.listParameters.map(({ name }) => name)
  expect([...asked.searchParams.keys()].filter((name) => !known.includes(name))).toEqual([])
})

test('sandbox responses match Twilio’s description', async () => {
  await using sandbox = await startTestSandbox(port)
  const created = await ask(sandbox, 'POST', { To: phone, From: '+18005550142', Body: 'Hello' })
  expect(created.status).toBe(201)
  expect(faultsOf('api.v2010.account.message', await created.json())).toEqual([])
  const listed = (await (await ask(sandbox, 'GET', { To: phone })).json()) as { messages: unknown[] }
  expect(faultsOf('list', listed)).toEqual([])
  expect(listed.messages).toHaveLength(1)
})

test('a text is sent, found again, and refused for good or for now as Twilio does', async () => {
  await using sandbox = await startTestSandbox(port)
  const texts = textsAt(sandbox.origin)
  const sent = await texts.send({ to: phone, body: 'Hello' })
  expect(sent).toMatchObject({ ok: true, ref: expect.stringMatching(/^SM[\da-f]{32}$/) as string })
  expect(await texts.find({ to: phone, body: 'Hello', since })).toEqual(sent)
  expect(await texts.find({ to: phone, body: 'Another', since })).toEqual({ ok: true, ref: undefined })
  expect(await texts.send({ to: '12', body: 'Hello' })).toMatchObject({ reason: 'refused', code: 21211 })
  await fetch(`${sandbox.origin}/texts`, { method: 'POST', body: new URLSearchParams({ from: phone, body: 'Stop' }) })
  expect(await texts.send({ to: phone, body: 'Hello' })).toMatchObject({ reason: 'stopped', code: 21610 })
  const wrong = createTwilioTexts({
    accountSid,
    authToken: 'x',
    from: phone,
    apiOrigin: sandbox.origin,
    webOrigin: 'x',
  })
  expect(await wrong.send({ to: phone, body: 'Hello' })).toMatchObject({ reason: 'unavailable' })
  expect(await textsAt(`http://127.0.0.1:${port + 3}`).send({ to: phone, body: 'x' })).toMatchObject({
    reason: 'unavailable',
  })
})

test('reports and answers come signed; a changed field, another address and another token do not pass', async () => {
  await using receiver = await startReceiver(port + 2)
  const webOrigin = `http://127.0.0.1:${port + 2}`
  await using sandbox = await startTestSandbox(port, { textsUrl: `${webOrigin}/webhooks/texts` })
  const texts = textsAt(sandbox.origin, webOrigin)
  expect(await texts.send({ to: phone, body: 'Hello' })).toMatchObject({ ok: true })
  await fetch(`${sandbox.origin}/texts`, {
    method: 'POST',
    body: new URLSearchParams({ from: phone, body: 'YES & é' }),
  })
  await sandbox.pass({ seconds: 5 })
  const posts = receiver.received.map(({ path, headers, body }) => ({
    path,
    signature: String(headers['x-twilio-signature']),
    fields: Object.fromEntries(new URLSearchParams(body)),
  }))
  const said = posts.map(({ fields }) => fields['MessageStatus'] ?? fields['Body'])
  expect(new Set(said)).toEqual(new Set(['YES & é', 'delivered', 'sent']))
  for (const post of posts) {
    expect(await texts.isFromProvider(post)).toBe(true)
    // As Twilio's own library signs it.
    expect(twilio.getExpectedTwilioSignature(authToken, webOrigin + post.path, post.fields)).toBe(post.signature)
    expect(await texts.isFromProvider({ ...post, fields: { ...post.fields, From: '+13125550143' } })).toBe(false)
    expect(await texts.isFromProvider({ ...post, path: '/webhooks/payments' })).toBe(false)
    expect(await texts.isFromProvider({ ...post, signature: '' })).toBe(false)
  }
})
