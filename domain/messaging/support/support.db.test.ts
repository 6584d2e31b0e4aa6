import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readFile, storeFile } from '#domain/kernel/files/files.server.ts'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { readConfig } from '#platform/config.ts'
import { violatedConstraint } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import {
  closeRequest,
  findAttachment,
  findRequest,
  listOpenRequests,
  receiveLead,
  receiveMessage,
  requestsPerHour,
  supportMessageValues,
} from './support.server.ts'

const start = Temporal.Instant.from('2026-11-20T15:00:00Z')
const message = {
  firstName: 'Dana',
  lastName: 'Ruiz',
  email: 'dana@example.com',
  phone: '3125550142',
  orderNumber: 'S-104001',
  subject: 'A return or refund' as const,
  message: 'Buy **this** <b>now</b>: https://evil.test',
  file: null,
  networkKey: 'network-1',
}
const lead = {
  name: 'Lee Park',
  email: 'lee@example.com',
  quantity: 8,
  vehicle: null,
  size: '225/65R17',
  brand: null,
  networkKey: 'network-2',
}
/** Commands are run by a person with database access. */
const byHand = { via: 'command line', name: 'dana' } as const
const pdf = { name: 'invoice.pdf', bytes: Buffer.from('%PDF-1.7\n%%EOF\n') }

async function openSupport() {
  const database = await createTestDatabase()
  const config = readConfig({ DATABASE_URL: database.url })
  if (!config.ok) throw new Error('no configuration')
  let now = start
  return {
    db: database.db,
    config: config.value,
    files: filesInRows,
    rateLimits: createRateLimits(database),
    clock: { now: () => now },
    later: (minutes: number) => (now = now.add({ minutes })),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const mails = ({ db }: Awaited<ReturnType<typeof openSupport>>) =>
  db.selectFrom('message').select(['key', 'to_address']).orderBy('key').execute()

test('stores a message with its file, and queues both emails', async () => {
  await using support = await openSupport()
  expect(await receiveMessage(support, { ...message, file: pdf })).toMatchObject({ ok: true })
  const [request] = await listOpenRequests(support)
  expect(request).toMatchObject({
    kind: 'contact',
    state: 'open',
    name: 'Dana Ruiz',
    orderNumber: 'S-104001',
    message: message.message,
    quantity: null,
    attachment: { name: 'invoice.pdf', contentType: 'application/pdf', size: 15 },
  })
  const id = request?.id ?? 0
  const key = (await findAttachment(support, id))?.key ?? ''
  expect((await readFile(support, key))?.bytes.equals(pdf.bytes)).toBe(true)
  expect(await mails(support)).toEqual([
    { key: `support-received:${id}`, to_address: 'dana@example.com' },
    { key: `support-request:${id}`, to_address: support.config.store.email },
  ])
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from graphile_worker.jobs`.execute(
    support.db,
  )
  // The emails, and taking the file to its place.
  expect(rows[0]?.count).toBe(3)
})

test('a message sent twenty times is stored once', async () => {
  await using support = await openSupport()
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => receiveMessage(support, { ...message, file: pdf })),
  )
  expect(outcomes.every(({ ok }) => ok)).toBe(true)
  expect(await listOpenRequests(support)).toHaveLength(1)
  expect(await mails(support)).toHaveLength(2)
})

test('the twelfth message on one connection is stored like the first', async () => {
  await using support = await openSupport()
  for (let count = 1; count <= 12; count++) {
    expect(
      await receiveLead(support, { ...lead, email: `lee${count}@example.com`, networkKey: `network-${count}` }),
    ).toMatchObject({ ok: true })
  }
  expect(await listOpenRequests(support)).toHaveLength(12)
})

test('different text or another file is another message', async () => {
  await using support = await openSupport()
  await receiveMessage(support, message)
  await receiveMessage(support, { ...message, message: 'And one more thing.' })
  await receiveMessage(support, { ...message, file: pdf })
  expect(await listOpenRequests(support)).toHaveLength(3)
})

test('refuses more than five per hour by network and by email address, then accepts again', async () => {
  await using support = await openSupport()
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, index) => receiveMessage(support, { ...message, email: `a${index}@example.com` })),
  )
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(requestsPerHour)
  // Nor can one mailbox be flooded from many networks.
  for (let index = 0; index < 8; index++)
    await receiveLead(support, { ...lead, quantity: index + 1, networkKey: `other-${index}` })
  expect((await listOpenRequests(support)).filter(({ kind }) => kind === 'lead')).toHaveLength(requestsPerHour)
  expect(await receiveLead(support, { ...lead, networkKey: 'network-1' })).toMatchObject({
    reason: 'too-many-requests',
  })
  support.later(61)
  expect(await receiveMessage(support, { ...message, message: 'Hello again' })).toMatchObject({ ok: true })
})

test('counts files when sent, and examines them only if the message would be accepted', async () => {
  await using support = await openSupport()
  const broken = (index: number) =>
    receiveMessage(support, { ...message, file: { name: 'a.jpg', bytes: Buffer.from(`MZ${index}`) } })
  for (let index = 0; index < rateLimits.attachment.counts.sender; index++)
    expect(await broken(index)).toMatchObject({ reason: 'other-kind' })
  expect(await broken(99)).toMatchObject({ reason: 'too-many-requests' })
  // Messages without files are cheap and still accepted.
  for (let index = 0; index < requestsPerHour; index++)
    await receiveMessage(support, { ...message, message: `Hello ${index}` })
  const other = { ...message, networkKey: 'network-3', file: { name: 'a.jpg', bytes: Buffer.from('MZ') } }
  expect(await receiveMessage(support, other)).toMatchObject({ reason: 'too-many-requests' })
  expect(await receiveMessage(support, { ...other, email: 'lee@example.com' })).toMatchObject({ reason: 'other-kind' })
})

test('a rejected file isn’t stored', async () => {
  await using support = await openSupport()
  expect(
    await receiveMessage(support, { ...message, file: { name: 'a.jpg', bytes: Buffer.from('MZ') } }),
  ).toMatchObject({ reason: 'other-kind' })
  expect(await listOpenRequests(support)).toEqual([])
  expect(await mails(support)).toEqual([])
})

test('a request is closed once, its network is deleted, and the same text opens a new one', async () => {
  await using support = await openSupport()
  await receiveMessage(support, message)
  const id = (await listOpenRequests(support))[0]?.id ?? 0
  const outcomes = await Promise.all([closeRequest(support, byHand, id), closeRequest(support, byHand, id)])
  expect(outcomes.map((outcome) => (outcome.ok ? 'closed' : outcome.reason)).toSorted()).toEqual([
    'already-closed',
    'closed',
  ])
  expect(await findRequest(support, id)).toMatchObject({ state: 'closed', closedAt: start })
  expect(await support.db.selectFrom('support_request').select('network_key').executeTakeFirst()).toEqual({
    network_key: null,
  })
  expect(await closeRequest(support, byHand, 999)).toMatchObject({ reason: 'request-not-found' })
  await receiveMessage(support, message)
  expect(await listOpenRequests(support)).toHaveLength(1)
})

test('the confirmation email repeats no submitted text, because senders can be impersonated', async () => {
  await using support = await openSupport()
  await receiveMessage(support, { ...message, firstName: 'Visit', lastName: 'evil.test' })
  const id = (await listOpenRequests(support))[0]?.id ?? 0
  const values = (await supportMessageValues(support, { key: `support-received:${id}` })) ?? {}
  const received = await renderMessage('support-received', values)
  expect(received.text).not.toContain('evil.test')
  expect(received.text).toContain(`Its number is R-${id}.`)
  const toStore = await renderMessage('support-request', values)
  expect(toStore.text).toContain('https://evil.test')
  expect(toStore.html).not.toContain('<b>now</b>')
  expect(toStore.html).not.toContain('href="https://evil.test"')
})

test('stores a lead with its size and quantity', async () => {
  await using support = await openSupport()
  await receiveLead(support, lead)
  expect((await listOpenRequests(support))[0]).toMatchObject({
    kind: 'lead',
    subject: '8 tires, 225/65R17',
    quantity: 8,
    size: '225/65R17',
    vehicle: null,
  })
})

test('the database enforces complete requests, whatever the code does', async () => {
  await using support = await openSupport()
  await receiveMessage(support, message)
  const id = (await listOpenRequests(support))[0]?.id ?? 0
  const broken = [
    support.db.updateTable('support_request').set({ state: 'closed' }),
    support.db.updateTable('support_request').set({ quantity: 4 }),
    support.db.updateTable('support_request').set({ state: 'closed', closed_at: start, closed_by: 'x' }),
  ]
  for (const change of broken)
    expect(
      violatedConstraint(
        await change
          .where('id', '=', id)
          .execute()
          .catch((error: unknown) => error),
      ),
    ).toMatch(/^support_request_/)
  const tooLarge = { contentType: 'application/pdf', bytes: Buffer.alloc(1024 * 1024 + 1) }
  const storing = support.db.transaction().execute((tx) => storeFile(tx, tooLarge, support.clock.now()))
  expect(violatedConstraint(await storing.catch((error: unknown) => error))).toBe('stored_file_size_check')
})
