/** Stored copies of sent emails. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { readConfig } from '#platform/config.ts'
import { newId, newIdOf } from '#platform/ids.ts'
import { forgetOldEmailCopies, insertEmailCopy } from './email-copies.sql.server.ts'
import type { Mail } from './mail.port.ts'
import { queueMessage, selectEmailCopy, sendMessage, type MessageContent } from './messages.server.ts'
import { isShopEmail, messageKinds, stopKindOf, type MessageKind } from './messages.ts'
import { placeholdersOf } from '#platform/placeholders.ts'

const read = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!read.ok) throw new Error('The configuration of tests is wrong.')
const { value: config } = read
async function openMails(at = Temporal.Instant.from(smallDataMadeAt)) {
  const database = await createTestDatabase({ from: 'small' })
  const sent: Mail[] = []
  const deps = {
    db: database.db,
    clock: { now: () => at },
    config,
    mailer: { send: async (mail: Mail) => (sent.push(mail), { ok: true as const }) },
  }
  return {
    db: database.db,
    sent,
    /** Sends an email of a kind, and returns its id. */
    async send(kind: MessageKind, content: Partial<MessageContent>): Promise<string> {
      const key = `${kind}:${sent.length}`
      await queueMessage(database.db, { kind, key, to: 'ann@example.net', orderId: null, at })
      const { id } = await database.db
        .selectFrom('message')
        .select('id')
        .where('key', '=', key)
        .executeTakeFirstOrThrow()
      await sendMessage(deps, id, async () => ({ values: {}, attachments: [], ...content }))
      return id
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const shipped = {
  orderNumber: 'S-1',
  firstName: 'Ann',
  items: '4 × Kestrel Alltide AS2',
  carrier: 'FedEx',
  trackingNumber: '7712',
  promisedOn: 'Mon, Nov 23',
  destination: 'at Halsted Tire',
  trackUrl: 'https://store.test/track?order=1&key=secret-key',
}

test('stores a sent email unchanged, except for keys in its links', async () => {
  await using mails = await openMails()
  const attachments = [{ name: 'installation.ics', contentType: 'text/calendar', content: 'BEGIN' }]
  const id = await mails.send('order-shipped', { values: shipped, attachments })
  const [mail] = mails.sent
  const copy = await selectEmailCopy(mails.db, id)
  expect(mail?.text).toContain('key=secret-key')
  expect(copy).toEqual({
    subject: mail?.subject,
    text: mail?.text.replaceAll('secret-key', '…'),
    html: mail?.html.replaceAll('secret-key', '%E2%80%A6'),
    attachments: ['installation.ics'],
    sentAt: smallDataMadeAt,
  })
  const change = mails.db.updateTable('email_copy').set({ subject: 'x' }).where('message_id', '=', id).execute()
  await expect(change).rejects.toThrow('not changed afterwards')
})

test('monthly email copies share a partition and are dropped together; others are deleted by day', async () => {
  const at = Temporal.Now.instant()
  await using mails = await openMails(at)
  const { db } = mails
  const placeOf = async (id: string) => {
    const { rows } = await sql<{ place: string }>`
      select tableoid::regclass::text as place from email_copy where message_id = ${id}`.execute(db)
    return rows.map(({ place }) => place)
  }
  const monthOf = (instant: Temporal.Instant) => `email_copy_${instant.toString().slice(0, 7).replace('-', '')}`
  const insert = async (id: string) => {
    await sql`insert into message (id, key, kind, to_address, created_at, state, sent_at)
      values (${id}, ${id}, 'order-shipped', 'ann@example.net', ${at}, 'sent', ${at})`.execute(db)
    // As written by the previous release.
    await sql`insert into email_copy values (${id}, 'Subject', 'Text', 'HTML', '{}', ${at}) on conflict (message_id) do nothing`.execute(
      db,
    )
  }
  const id = await mails.send('order-shipped', { values: shipped })
  const copy = await selectEmailCopy(db, id)
  if (copy) await insertEmailCopy(db, id, copy)
  expect(await placeOf(id)).toEqual([monthOf(at)])

  const [timeless, later] = [newId(), newIdOf(at.add({ hours: 24 * 130 }))]
  await insert(timeless)
  await insert(later)
  expect(await placeOf(timeless)).toEqual(['email_copy_other'])
  expect(await placeOf(later)).toEqual(['email_copy_other'])
  await sql`select prepare_months('email_copy', 6)`.execute(db)
  expect(await placeOf(timeless)).toEqual(['email_copy_other'])
  expect(await placeOf(later)).toEqual([monthOf(at.add({ hours: 24 * 130 }))])

  expect(await forgetOldEmailCopies(db, at.subtract({ hours: 24 * 31 }))).toBe(0)
  expect(await forgetOldEmailCopies(db, at)).toBe(1)
  expect(await placeOf(id)).toEqual([])
  expect(await placeOf(timeless)).toEqual(['email_copy_other'])
  expect(await forgetOldEmailCopies(db, at.add({ seconds: 1 }))).toBe(2)
  expect(await placeOf(timeless)).toEqual([])
  expect(await placeOf(later)).toEqual([])
})

/** A value for each placeholder of the kind's template. */
async function valuesOf(kind: MessageKind): Promise<MessageContent['values']> {
  const source = await readFile(new URL(`../../../content/mail/${kind}.md`, import.meta.url), 'utf8')
  const names = placeholdersOf(source)
  return Object.fromEntries(names.map((name) => [name, name.endsWith('Url') ? `https://store.test/${name}` : name]))
}

test('every kind is sent once, and has an unsubscribe link, a header for it and the postal address only if it is not transactional', async () => {
  await using mails = await openMails()
  for (const kind of messageKinds) await mails.send(kind, { values: await valuesOf(kind) })
  expect(mails.sent).toHaveLength(messageKinds.length)
  for (const [index, { stopUrl, text, html }] of mails.sent.entries()) {
    const kind = messageKinds[index] ?? 'quote'
    const wanted = stopKindOf(kind) === null ? 0 : 1
    const count = (part: string, of: string) => part.split(of).length - 1
    expect(stopUrl === null ? 0 : 1, kind).toEqual(wanted)
    for (const part of [text, html]) {
      expect(count(part, 'stop-mails?of='), kind).toBe(wanted)
      // Teams of shops choose their emails in the portal.
      if (!isShopEmail(kind)) expect(count(part, 'email-preferences?of='), kind).toBe(wanted)
    }
    expect(count(text, config.store.address), kind).toEqual(wanted)
  }
})

test('removes codes and keys from paths and unsubscribe links', async () => {
  await using mails = await openMails()
  const code = { orderNumber: 'S-1', code: '482913', minutes: '10', store: 'Sidewall' }
  const ids = [
    await mails.send('order-code', { values: code }),
    await mails.send('rotation-due', {
      values: {
        vehicle: 'CR-V',
        because: 'It is time.',
        garageUrl: 'https://store.test/account/my-garage',
        phone: '(800) 555-0142',
      },
    }),
  ]
  const [ofCode, ofRotation] = await Promise.all(ids.map((id) => selectEmailCopy(mails.db, id)))
  expect(mails.sent[0]?.text).toContain('482913')
  expect(JSON.stringify(ofCode)).not.toContain('482913')
  const keys = [...(mails.sent[1]?.text.matchAll(/of=(\S+)/g) ?? [])].map(([, key = '']) => key)
  expect(keys).toHaveLength(2)
  for (const key of keys) expect(JSON.stringify(ofRotation)).not.toContain(key)
  expect(ofRotation?.text).toContain('stop-mails?of=…')
})

test('sends an oversized email once and stores the start of its text', async () => {
  await using mails = await openMails()
  const id = await mails.send('order-shipped', {
    values: { ...shipped, destination: `at Halsted ${'é'.repeat(200_000)}` },
  })
  const copy = await selectEmailCopy(mails.db, id)
  expect(mails.sent).toHaveLength(1)
  expect(copy?.html).toBe('')
  expect(copy?.text.endsWith('éé…')).toBe(true)
})
