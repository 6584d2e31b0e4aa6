/** The store as `npm start` runs it, from the bundled programs: an order's mail, its receipt as a PDF, and its traces. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createDatabase } from '#platform/db.ts'
import { eventually } from '#tests/support/eventually.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { startTraceReceiver } from '#tests/support/trace-receiver.ts'
import { childrenOf, createPlace, databaseUrlOf, startWholeStore } from '#tests/support/whole-store.ts'
import { openDoors } from './started-store.ts'

test('the bundled web process and worker take an order, mail about it, draw its receipt and send traces', async () => {
  await using place = await createPlace()
  await using receiver = await startTraceReceiver()
  const env = { ...place.env, LOG_LEVEL: 'error', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint }
  const running = await startWholeStore(env)
  const url = await databaseUrlOf(env.DATA_DIR)
  const db = createDatabase(url, { size: 4, application: 'test' })
  await using store = await openDoors({
    origin: `http://localhost:${env.PORT}`,
    sandboxOrigin: `http://localhost:${env.SANDBOX_PORT}`,
    database: { db, url },
    async [Symbol.asyncDispose]() {
      await db.destroy()
      running.stop()
      await running.exited
    },
  })
  const commands = await Promise.all(
    (await childrenOf(running.pid)).map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')),
  )
  for (const program of ['build/programs/web.js', 'build/programs/worker.js'])
    expect(commands.filter((command) => command.includes(program))).toHaveLength(1)

  const placed = await store.press(await store.prepare('bundled@example.com'))
  expect(placed).toEqual({ orderId: expect.any(Number) })
  const mail = await newestMail(store, 'bundled@example.com')
  const page = await (await fetch(linkIn(mail, 'Receipt_'))).text()
  const link = /href="([^"]*Receipt_\d+\.pdf[^"]*)"/.exec(page)?.[1] ?? ''
  const receipt = await fetch(new URL(link.replaceAll('&amp;', '&'), store.origin))

  expect(receipt.headers.get('content-type')).toBe('application/pdf')
  expect(Buffer.from(await receipt.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-/)
  const services = () => new Set(receiver.spans.map(({ service }) => service))
  await eventually('traces of both processes', async () => services().size > 1 || undefined)
})
