/** The daily email of open tasks, with its content by recipient and its schedule. */
import { expect, test } from 'vitest'
import { makePlacedOrder, must, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { emailQueueDigests, saveDigest } from '#domain/operations/queue-digests/queue-digests.server.ts'
import { listGrants, revokeGrant } from '#domain/kernel/staff/staff.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { readConfig } from '#platform/config.ts'
import type { Application } from '#application'
import { freePorts } from '#tests/support/free-ports.ts'
import { digestQueues, queueDigestMessage } from './digest.server.ts'

const [port = 0] = await freePorts(3)
const read = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!read.ok) throw new Error('The configuration of tests is wrong.')
const { value: config } = read

/** How `signInStaff` names people at the provider. */
const personOf = (subject: string) => ({ issuer: 'https://id.example', subject })

test('a digest comes once a day with the lists its reader may see and chose, and stops with their role', async () => {
  await using opened = await openTestStore(port)
  const store = { ...opened, config } as unknown as Application & typeof opened
  const { db, clock } = store
  const queued = () =>
    db.selectFrom('message').select(['key', 'to_address as to']).where('kind', '=', 'queue-digest').execute()
  // 12:30 in New York.
  clock.set(Temporal.Instant.from('2026-11-24T17:30:00Z'))
  const support = await signInStaff(store, 'support')
  const catalog = await signInStaff(store, 'catalog')
  const { orderId } = await makePlacedOrder(store)
  must(await saveDigest(store, support, { ...personOf('support'), hour: 7, except: [] }))
  must(await saveDigest(store, catalog, { ...personOf('catalog'), hour: 8, except: [] }))
  expect(await emailQueueDigests(store)).toBe(0)

  clock.set(Temporal.Instant.from('2026-11-25T12:00:00Z'))
  for (let again = 0; again < 2; again++) expect(await emailQueueDigests(store)).toBe(1)
  clock.set(Temporal.Instant.from('2026-11-25T13:00:00Z'))
  await emailQueueDigests(store)
  const mails = await queued()
  expect(mails.map(({ to }) => to).toSorted()).toEqual(['catalog@store.example', 'support@store.example'])
  const contentFor = (to: string) => queueDigestMessage(store, { key: mails.find((mail) => mail.to === to)?.key ?? '' })

  // A rejected email is a task for support, and pending reviews are tasks for the catalog team.
  await db
    .updateTable('message')
    .set({ state: 'refused' })
    .where('order_id', '=', orderId)
    .where('kind', '=', 'order-received')
    .execute()
  const content = await contentFor('support@store.example')
  expect(content?.values).toMatchObject({ tasks: expect.stringMatching(/open task/) })
  const rows = content?.values['rows'] as { left: string; right: string }[]
  expect(rows).toContainEqual({
    left: 'Rejected emails: 1',
    right: expect.stringMatching(/^Oldest: order received to /),
  })
  const titles = digestQueues(['support']).map(({ title }) => title)
  for (const { left } of rows) expect(titles).toContain(left.replace(/: \d+\+?$/, ''))
  const forCatalog = (await contentFor('catalog@store.example'))?.values['rows'] as { left: string }[]
  expect(forCatalog.map(({ left }) => left.replace(/: \d+\+?$/, ''))).toEqual(['Reviews to check'])

  must(
    await saveDigest(store, desk, {
      ...personOf('support'),
      hour: 7,
      except: digestQueues(['support']).map(({ slug }) => slug),
    }),
  )
  expect(await contentFor('support@store.example')).toBeNull()
  must(await saveDigest(store, desk, { ...personOf('support'), hour: 7, except: [] }))
  expect(await contentFor('support@store.example')).not.toBeNull()

  const grant = (await listGrants(store)).find(({ email }) => email === 'support@store.example')
  must(await revokeGrant(store, desk, { grantId: grant?.id ?? '', reason: 'Left.' }))
  expect(await contentFor('support@store.example')).toBeNull()
  clock.set(Temporal.Instant.from('2026-11-26T12:00:00Z'))
  expect(await emailQueueDigests(store)).toBe(0)
  expect(await saveDigest(store, support, { ...personOf('support'), hour: 9, except: [] })).toMatchObject({
    ok: false,
    reason: 'not-allowed',
  })
})
