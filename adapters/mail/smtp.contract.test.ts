import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { Mail } from '#domain/messaging/messages/mail.port.ts'
import { startTestSandbox, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createSmtpMailer } from './smtp.ts'

const [port = 0] = await freePorts(3)

const mail: Mail = {
  key: 'order-confirmed:1042',
  to: 'ann@example.com',
  subject: 'Order 1042 – thank you, Ann 🛞',
  text: 'Your tires are on their way.\n',
  html: '<p>Your <b>tires</b> are on their way.</p><script>steal()</script>',
  fromName: null,
  replyTo: null,
  stopUrl: null,
  attachments: [
    { name: 'receipt é.pdf', contentType: 'application/pdf', content: new Uint8Array([37, 80, 68, 70, 0, 255]) },
    { name: 'visit.ics', contentType: 'text/calendar; charset=utf-8', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' },
  ],
}

type Seen = {
  id: string
  envelope: { to: string[] }
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  attachments: { filename: string; bytes: number; path: string }[]
}

async function seen(sandbox: TestSandbox, to: string): Promise<Seen[]> {
  const response = await fetch(`${sandbox.origin}/mailbox.json?to=${encodeURIComponent(to)}`)
  return ((await response.json()) as { messages: Seen[] }).messages
}

function mailerAt(smtpUrl: string) {
  return createSmtpMailer({ smtpUrl, from: 'Sidewall <orders@sidewall.example>' })
}

/** The sandbox's mail server behind a port that counts connections and can end them. */
async function startCountedServer(smtpUrl: string) {
  const target = new URL(smtpUrl)
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    open.add(socket)
    const onward = connect(Number(target.port), target.hostname)
    socket.pipe(onward).pipe(socket)
    for (const side of [socket, onward]) side.on('error', () => socket.destroy())
    socket.on('close', () => {
      open.delete(socket)
      onward.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  const endAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    smtpUrl: `smtp://127.0.0.1:${own}`,
    connections: () => connections,
    open: () => open.size,
    endAll,
    async [Symbol.asyncDispose]() {
      endAll()
      server.close()
      await once(server, 'close')
    },
  }
}

test('mails share a connection, and one that the server ended is replaced', async () => {
  await using sandbox = await startTestSandbox(port)
  await using server = await startCountedServer(sandbox.smtpUrl)
  const mailer = mailerAt(server.smtpUrl)
  for (const to of ['cleo@example.com', 'dan@example.com', 'bounce@example.com']) await mailer.send({ ...mail, to })
  expect(server.connections()).toBe(1)

  server.endAll()
  expect(await mailer.send({ ...mail, to: 'eve@example.com' })).toEqual({ ok: true })
  expect(server.connections()).toBe(2)
  expect(await Promise.all(['cleo', 'dan', 'eve'].map((name) => seen(sandbox, `${name}@example.com`)))).toEqual([
    [expect.anything()],
    [expect.anything()],
    [expect.anything()],
  ])

  await mailer.close?.()
  await eventually('the connection to end', async () => server.open() === 0 || undefined)
})

test('a server that refuses the store and not the recipient has the mail wait, until it takes the login', async () => {
  const smtpLogins = ['store:the old p@ss', 'second:the next one'] as const
  await using sandbox = await startTestSandbox(port, { smtpLogins })
  const as = (login: string) => mailerAt(sandbox.smtpUrl.replace('//', `//${login}@`))
  const strangers = [mailerAt(sandbox.smtpUrl), as('store:the%20next%20one'), as('second:guessed')]
  for (const mailer of strangers) expect(await mailer.send(mail)).toMatchObject({ ok: false, reason: 'unavailable' })
  expect(await seen(sandbox, mail.to)).toEqual([])
  for (const login of ['store:the%20old%20p%40ss', 'second:the%20next%20one'])
    expect(await as(login).send(mail)).toEqual({ ok: true })
  expect(await as('second:the%20next%20one').send({ ...mail, to: 'bounce@example.com' })).toMatchObject({
    reason: 'refused',
  })
})

test('a message arrives unchanged, with its attachments and its key', async () => {
  await using sandbox = await startTestSandbox(port)
  expect(await mailerAt(sandbox.smtpUrl).send(mail)).toEqual({ ok: true })
  const [message] = await seen(sandbox, 'ANN@example.com')
  expect(message).toMatchObject({
    envelope: { to: ['ann@example.com'] },
    subject: mail.subject,
    html: expect.stringContaining('<b>tires</b>'),
    headers: {
      'x-message-key': mail.key,
      from: 'Sidewall <orders@sidewall.example>',
      'auto-submitted': 'auto-generated',
    },
    attachments: [{ filename: 'receipt é.pdf', bytes: 6 }, { filename: 'visit.ics' }],
  })
  expect(message?.text.trim()).toBe('Your tires are on their way.')
  const attachment = await fetch(sandbox.origin + message?.attachments[0]?.path)
  expect(new Uint8Array(await attachment.arrayBuffer())).toEqual(mail.attachments[0]?.content)
  expect(attachment.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''receipt%20%C3%A9.pdf")
  expect(await seen(sandbox, 'bob@example.com')).toEqual([])
})

test('only an email that can be unsubscribed from has List-Unsubscribe headers', async () => {
  await using sandbox = await startTestSandbox(port)
  const stopUrl = `https://store.example/stop-mails?of=${'a'.repeat(120)}`
  await mailerAt(sandbox.smtpUrl).send({ ...mail, stopUrl })
  await mailerAt(sandbox.smtpUrl).send({ ...mail, key: 'order-shipped:1042' })
  const [shipped, stoppable] = (await seen(sandbox, mail.to)).map(({ headers }) => headers)
  expect(stoppable?.['list-unsubscribe']?.replaceAll(/\s/g, '')).toBe(`<${stopUrl}>`)
  expect(stoppable?.['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  expect(Object.keys(shipped ?? {}).filter((name) => name.startsWith('list-'))).toEqual([])
})

test('a message of a branded store has its name before the store’s own address, whatever the name contains', async () => {
  await using sandbox = await startTestSandbox(port)
  await mailerAt(sandbox.smtpUrl).send({
    ...mail,
    fromName: 'Halsted "Tire" <x@evil.example>\r\nBcc: a@b.example via Sidewall',
  })
  const [message] = await seen(sandbox, mail.to)
  expect(message?.headers['from']).toMatch(/<orders@sidewall\.example>$/)
  expect(message?.headers['bcc']).toBeUndefined()
  expect(message?.envelope.to).toEqual([mail.to])
})

test('a message sent twice has the same id, a different one has a different id', async () => {
  await using sandbox = await startTestSandbox(port)
  const mailer = mailerAt(sandbox.smtpUrl)
  await mailer.send(mail)
  await mailer.send(mail)
  await mailer.send({ ...mail, key: 'order-shipped:1042' })
  const [shipped, again, first] = (await seen(sandbox, mail.to)).map(({ headers }) => headers['message-id'])
  expect(first).toMatch(/^<[0-9a-f]{32}@sidewall\.example>$/)
  expect(again).toBe(first)
  expect(shipped).not.toBe(first)
})

test('a permanently rejected recipient is refused; a temporarily rejected one, or a server that is down, is unavailable', async () => {
  await using sandbox = await startTestSandbox(port)
  const mailer = mailerAt(sandbox.smtpUrl)
  expect(await mailer.send({ ...mail, to: 'bounce+7@example.com' })).toMatchObject({
    ok: false,
    reason: 'refused',
    cause: { responseCode: 550 },
  })
  expect(await mailer.send({ ...mail, to: 'later@example.com' })).toMatchObject({
    ok: false,
    reason: 'unavailable',
    cause: { responseCode: 451 },
  })
  expect(await mailerAt(`smtp://127.0.0.1:${port + 9}`).send(mail)).toMatchObject({ ok: false, reason: 'unavailable' })
})

test('mail to a slow recipient is delivered eventually', async () => {
  await using sandbox = await startTestSandbox(port, { stallSeconds: 0.2 })
  expect(await mailerAt(sandbox.smtpUrl).send({ ...mail, to: 'slow@example.com' })).toEqual({ ok: true })
  expect(await seen(sandbox, 'slow@example.com')).toHaveLength(1)
})

test('user input cannot inject a header or a recipient', async () => {
  await using sandbox = await startTestSandbox(port)
  await mailerAt(sandbox.smtpUrl).send({
    ...mail,
    subject: 'Hello\r\nBcc: eve@example.com',
    to: 'ann@example.com, eve@example.com',
  })
  expect(await seen(sandbox, 'eve@example.com')).toEqual([])
})

test('the mailbox shows a message in the browser without running it', async () => {
  await using sandbox = await startTestSandbox(port)
  await mailerAt(sandbox.smtpUrl).send({ ...mail, subject: '<i>Order</i>' })
  const [message] = await seen(sandbox, mail.to)
  const list = await (await fetch(`${sandbox.origin}/mailbox?to=ann@example.com`)).text()
  expect(list).toContain('&lt;i&gt;Order&lt;/i&gt;')
  const page = await (await fetch(`${sandbox.origin}/mailbox/${message?.id}`)).text()
  expect(page).toMatch(/<iframe[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/)
  expect(page).toContain('Your tires are on their way.')
  const part = await fetch(`${sandbox.origin}/mailbox/${message?.id}/html`)
  expect(part.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups[^;]*; default-src 'none'/)
  expect(part.headers.get('content-security-policy')).not.toContain('allow-scripts')
})
