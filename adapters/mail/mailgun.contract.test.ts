/**
 * Tests that the sandbox sends bounces, complaints, and replies as Mailgun documents, and that the store verifies each.
 */
import { expect, test } from 'vitest'
import type { Mail } from '#domain/messaging/messages/mail.port.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { startReceiver, startTestSandbox, testSecrets } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createMailgunEvents } from './mailgun.ts'
import { createSmtpMailer } from './smtp.ts'

const [port = 0] = await freePorts(3)
const mail: Mail = {
  key: '0f8fad5b-d9cb-469f-a165-70867728950e',
  to: 'gone@example.com',
  subject: 'Order',
  text: 'x',
  html: '<p>x</p>',
  fromName: null,
  replyTo: 'reply+r1-00000000000000000000@reply.example',
  stopUrl: null,
  attachments: [],
}

async function played() {
  const receiver = await startReceiver(port + 2)
  const origin = `http://127.0.0.1:${port + 2}`
  const sandbox = await startTestSandbox(port, {
    mailUrls: { events: `${origin}/webhooks/mail`, incoming: `${origin}/webhooks/mail-in` },
  })
  return {
    receiver,
    sandbox,
    mailer: createSmtpMailer({ smtpUrl: sandbox.smtpUrl, from: 'Sidewall <orders@sidewall.example>' }),
    events: createMailgunEvents({ signingKey: testSecrets.mailSigningKey, clock: sandbox.clock }),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

test('a bounce and a complaint name the message, the address and what the other server said', async () => {
  await using outside = await played()
  const { mailer, sandbox, receiver, events } = outside
  await mailer.send(mail)
  await mailer.send({ ...mail, to: 'complains+7@example.com' })
  await mailer.send({ ...mail, to: 'fine@example.com' })
  await sandbox.pass({ seconds: 5 })
  const read = receiver.received.map(({ body }) => events.readEvent(body))
  expect(read).toMatchObject([
    {
      ok: true,
      event: {
        kind: 'bounced',
        email: 'gone@example.com',
        messageId: mail.key,
        detail: expect.stringContaining('5.1.1') as string,
      },
    },
    { ok: true, event: { kind: 'complained', email: 'complains+7@example.com', messageId: mail.key, detail: null } },
  ])
  const { body = '' } = receiver.received[0] ?? {}
  const other = createMailgunEvents({ signingKey: 'another key', clock: sandbox.clock })
  expect(other.readEvent(body)).toEqual({ ok: false, reason: 'bad-signature' })
  const late = createMailgunEvents({
    signingKey: testSecrets.mailSigningKey,
    clock: fixedClock('2026-06-15T22:00:00Z'),
  })
  expect(late.readEvent(body)).toEqual({ ok: false, reason: 'bad-signature' })
})

test.for(['', 'x', 'null', '[]', '{}', '{"signature":1}', '{"signature":{"timestamp":"1","token":"","signature":""}}'])(
  'is not taken for a report: %s',
  (body) => {
    const events = createMailgunEvents({ signingKey: 'key', clock: fixedClock('2026-06-15T12:00:00Z') })
    expect(events.readEvent(body)).toEqual({ ok: false, reason: 'bad-signature' })
  },
)

test('an answer written in the mailbox comes to its reply address, signed', async () => {
  await using outside = await played()
  const { mailer, sandbox, receiver, events } = outside
  await mailer.send({ ...mail, to: 'kim@example.com' })
  const found = (await (await fetch(`${sandbox.origin}/mailbox.json?to=kim@example.com`)).json()) as {
    messages: { id: string }[]
  }
  const body = new URLSearchParams({ text: 'Thanks & bye' })
  await fetch(`${sandbox.origin}/mailbox/${found.messages[0]?.id}/answer`, { method: 'POST', body })
  await sandbox.pass({ seconds: 5 })
  const fields = Object.fromEntries(new URLSearchParams(receiver.received[0]?.body))
  expect(receiver.received[0]?.path).toBe('/webhooks/mail-in')
  expect(events.readIncoming(fields)).toMatchObject({
    recipient: mail.replyTo,
    from: 'kim@example.com',
    text: 'Thanks & bye',
  })
  expect(events.readIncoming({ ...fields, token: 'x' })).toBeUndefined()
  expect(events.readIncoming({})).toBeUndefined()
})
