import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { listGrants, lockStaffEmails, revokeGrant } from '#domain/kernel/staff/staff.server.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { readConfig } from '#platform/config.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { readReplyToken, replyMailbox } from './reply-address.server.ts'
import {
  answerMessageValues,
  answerRequest,
  assignRequest,
  closeRequest,
  exportQuestions,
  findReplyFile,
  findRequest,
  findThread,
  listOpenRequests,
  listRequests,
  listTemplates,
  receiveLead,
  receiveReply,
  reopenRequest,
  replyAddressOf,
  retireTemplate,
  saveTemplate,
} from './support.server.ts'
import { incomingPerHour } from './support.ts'

const start = Temporal.Instant.from('2026-11-20T15:00:00Z')
const byHand = { via: 'command line', name: 'dana' } as const
/** An office session that has ended. */
const stranger = {
  via: 'office',
  name: 'gone@example.com',
  sessionId: '00000000-0000-4000-8000-000000000000',
  networkKey: 'n',
} as const
const waiting = { show: 'waiting', kind: null, assignedTo: null } as const

async function openThread() {
  const database = await createTestDatabase()
  const config = readConfig({ DATABASE_URL: database.url })
  if (!config.ok) throw new Error('no configuration')
  let now = start
  const deps = { db: database.db, files: filesInRows, config: config.value, clock: { now: () => now } }
  const send = (email: string) =>
    receiveLead(deps, {
      name: 'Lee Park',
      email,
      quantity: 8,
      vehicle: null,
      size: '225/65R17',
      brand: null,
      networkKey: email,
    })
  await send('lee@example.com')
  const [request] = await listOpenRequests(deps)
  const id = request?.id ?? 0
  return {
    ...deps,
    id,
    send,
    later: (minutes: number) => (now = now.add({ minutes })),
    mailbox: replyMailbox(config.value.session.secret, id),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const answer = (id: number, onceKey = 'form-0001') => ({
  id,
  kind: 'out' as const,
  body: 'Hello Lee,\n\nyes.',
  onceKey,
})

test('an answer submitted twenty times sends one email, and the sender no longer waits', async () => {
  await using thread = await openThread()
  const { id } = thread
  expect((await listRequests(thread, waiting)).requests.map((each) => each.id)).toEqual([id])
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => answerRequest(thread, byHand, answer(id))))
  expect(outcomes.every(({ ok }) => ok)).toBe(true)
  expect((await findThread(thread, id))?.replies.map(({ kind, body }) => [kind, body])).toEqual([
    ['out', 'Hello Lee,\n\nyes.'],
  ])
  expect((await listRequests(thread, waiting)).requests).toEqual([])
  const mails = await thread.db
    .selectFrom('message')
    .select(['key', 'to_address'])
    .where('kind', '=', 'support-answer')
    .execute()
  expect(mails).toEqual([{ key: 'support-answer:1', to_address: 'lee@example.com' }])
  const values = (await answerMessageValues(thread, { key: 'support-answer:1' })) ?? {}
  expect((await renderMessage('support-answer', values)).text).toContain('Hello Lee,\n\nyes.')
  expect(await replyAddressOf(thread, { kind: 'support-answer', key: 'support-answer:1' })).toBe(
    `${thread.mailbox}@reply.sidewall.example`,
  )
  const acts = await thread.db.selectFrom('audit_entry').select('act').execute()
  expect(acts).toEqual([{ act: 'requests.answered' }])
})

test('an email to the reply address comes back into the thread once, and opens it again', async () => {
  await using thread = await openThread()
  const { id, mailbox } = thread
  await answerRequest(thread, byHand, answer(id))
  expect(await closeRequest(thread, byHand, id)).toMatchObject({ ok: true })
  const file = { name: 'label.pdf', contentType: 'application/pdf' as const, bytes: Buffer.from('%PDF-1.7\n%%EOF\n') }
  const email = {
    mailbox: mailbox.toUpperCase(),
    from: 'lee@work.test',
    text: ' Thanks! ',
    messageId: 'a@b',
    files: [file],
  }
  const outcomes = await Promise.all([receiveReply(thread, email), receiveReply(thread, email)])
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, true])
  const found = await findThread(thread, id)
  expect(found?.request).toMatchObject({ state: 'open', closedAt: null, waitingSince: start })
  expect(found?.replies.at(-1)).toMatchObject({ kind: 'in', author: 'lee@work.test', body: 'Thanks!' })
  expect(found?.replies).toHaveLength(2)
  const replyId = found?.replies.at(-1)?.id ?? 0
  expect((await findReplyFile(thread, { requestId: id, replyId, place: 1 }))?.name).toBe('label.pdf')
  // Nor through the number of another thread.
  expect(await findReplyFile(thread, { requestId: id + 1, replyId, place: 1 })).toBeUndefined()
  expect(JSON.stringify(await exportQuestions(thread.db, 'lee@example.com'))).toContain('Thanks!')
})

test('an address that we did not make writes into no thread', async () => {
  await using thread = await openThread()
  const { id, mailbox, config } = thread
  const forged = [
    `reply+r${id}-${'0'.repeat(20)}`,
    mailbox.replace(`r${id}-`, `r${id + 1}-`),
    'reply',
    '',
    `${mailbox}0`,
  ]
  for (const wrong of forged) {
    expect(readReplyToken(config.session.secret, wrong)).toBeUndefined()
    const email = { mailbox: wrong, from: 'eve@example.com', text: 'x', messageId: wrong, files: [] }
    expect(await receiveReply(thread, email)).toMatchObject({ ok: false, reason: 'unknown-address' })
  }
  expect(readReplyToken('another secret', mailbox)).toBeUndefined()
  expect((await findThread(thread, id))?.replies).toEqual([])
})

test('two programs that answer each other stop after twenty an hour', async () => {
  await using thread = await openThread()
  const { mailbox } = thread
  const email = (count: number) => ({
    mailbox,
    from: 'loop@example.com',
    text: 'Away',
    messageId: `${count}`,
    files: [],
  })
  const outcomes = await Promise.all(
    Array.from({ length: incomingPerHour + 5 }, (_, count) => receiveReply(thread, email(count))),
  )
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(incomingPerHour)
  thread.later(61)
  expect(await receiveReply(thread, email(99))).toMatchObject({ ok: true })
})

test('a revoked role can’t make changes', async () => {
  await using thread = await openThread()
  const { id } = thread
  const outcomes = [
    await answerRequest(thread, stranger, answer(id)),
    await answerRequest(thread, stranger, { ...answer(id), kind: 'note' }),
    await assignRequest(thread, stranger, { id, to: null }),
    await closeRequest(thread, stranger, id),
    await reopenRequest(thread, stranger, id),
    await saveTemplate(thread, stranger, { id: null, version: 0, name: 'Hello', body: 'Hello' }),
    await retireTemplate(thread, stranger, 1),
  ]
  expect(outcomes.map((outcome) => (outcome.ok ? 'done' : outcome.reason))).toEqual(outcomes.map(() => 'not-allowed'))
  expect(await findThread(thread, id)).toMatchObject({ request: { state: 'open' }, replies: [] })
})

test('a request isn’t assigned to a team member whose role is being revoked', async () => {
  await using thread = await openThread()
  const { db, id } = thread
  const { name: to } = await signInStaff(thread, 'support', 'ada')
  const [grant] = (await listGrants(thread)).filter(({ email }) => email === to)
  const blocked = (count: number) =>
    eventually('blocked queries', async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      )
      return (rows[0]?.waiting ?? 0) >= count
    })
  const outcomes = await db.transaction().execute(async (tx) => {
    await lockStaffEmails(tx, 'requests.answer', start)
    const revoked = revokeGrant(thread, byHand, { grantId: grant?.id ?? '', reason: 'Left.' })
    await blocked(1)
    const assigned = assignRequest(thread, byHand, { id, to })
    await blocked(2)
    return { revoked, assigned }
  })
  expect(await outcomes.revoked).toMatchObject({ ok: true })
  expect(await outcomes.assigned).toMatchObject({ reason: 'not-staff' })
  expect(await findRequest(thread, id)).toMatchObject({ assignedTo: null })
})

test('a closed request accepts notes but no answers, and isn’t reopened along with its duplicate', async () => {
  await using thread = await openThread()
  const { id } = thread
  await closeRequest(thread, byHand, id)
  expect(await answerRequest(thread, byHand, answer(id))).toMatchObject({ reason: 'closed' })
  expect(await answerRequest(thread, byHand, { ...answer(id), kind: 'note' })).toMatchObject({ ok: true })
  await thread.send('lee@example.com')
  expect(await reopenRequest(thread, byHand, id)).toMatchObject({ reason: 'sent-again' })
  // Email replies are stored anyway.
  const email = { mailbox: thread.mailbox, from: 'lee@example.com', text: 'And?', messageId: '1', files: [] }
  expect(await receiveReply(thread, email)).toMatchObject({ ok: true })
  expect(await findRequest(thread, id)).toMatchObject({ state: 'closed', waitingSince: null })
  expect(await assignRequest(thread, byHand, { id, to: 'eve@example.com' })).toMatchObject({ reason: 'not-staff' })
})

test('pages are contiguous, sorted by waiting time', async () => {
  await using thread = await openThread()
  for (let count = 0; count < 55; count += 1) await thread.send(`lee${count}@example.com`)
  const first = await listRequests(thread, waiting)
  const second = await listRequests(thread, waiting, first.next)
  const ids = [...first.requests, ...second.requests].map(({ id }) => id)
  expect(first.requests).toHaveLength(50)
  expect(second.requests).toHaveLength(6)
  expect(second.next).toBeNull()
  expect(new Set(ids).size).toBe(56)
})

test('a template is saved under a unique name, changed, and retired', async () => {
  await using thread = await openThread()
  const hello = { id: null, version: 0, name: 'Hello', body: 'Hello' }
  expect(await saveTemplate(thread, byHand, hello)).toMatchObject({ ok: true })
  expect(await saveTemplate(thread, byHand, { ...hello, name: 'hello' })).toMatchObject({ reason: 'name-taken' })
  const [template] = await listTemplates(thread)
  const id = template?.id ?? 0
  const changed = { id, version: 1, name: 'Hello', body: 'Good day' }
  expect(await saveTemplate(thread, byHand, changed)).toMatchObject({ ok: true })
  // Someone who opened the form before can't overwrite the change.
  expect(await saveTemplate(thread, byHand, { ...changed, body: 'Hi' })).toMatchObject({ reason: 'changed-meanwhile' })
  expect(await listTemplates(thread)).toMatchObject([{ body: 'Good day' }])
  expect(await retireTemplate(thread, byHand, id)).toMatchObject({ ok: true })
  expect(await saveTemplate(thread, byHand, { id, version: 2, name: 'Hello', body: 'x' })).toMatchObject({
    reason: 'gone',
  })
  expect(await saveTemplate(thread, byHand, hello)).toMatchObject({ ok: true })
})
