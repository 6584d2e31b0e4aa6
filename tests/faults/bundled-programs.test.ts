/**
 * Tests the bundled programs as run by `npm start` with an order's email, its receipt and work order PDFs, an uploaded
 * image, the photo reader, and traces.
 */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readingEngineFolder } from '#app/server/reading-engine.ts'
import { createDatabase } from '#platform/db.ts'
import { eventually } from '#tests/support/eventually.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { startTraceReceiver } from '#tests/support/trace-receiver.ts'
import { childrenOf, createPlace, databaseUrlOf, startWholeStore } from '#tests/support/whole-store.ts'
import { openDoors } from './started-store.ts'

test('the bundled web process and worker take an order, mail about it, draw its receipt and work order, re-encode a picture, serve the photo reader and send traces', async () => {
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

  const key = new URL(linkIn(mail, 'key=')).searchParams.get('key') ?? ''
  const { orderId } = placed as { orderId: number }
  const workOrder = await fetch(
    `${store.origin}/track-your-order/wo.pdf?order=${orderId}&key=${encodeURIComponent(key)}`,
  )
  expect(Buffer.from(await workOrder.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-/)

  expect(await sendPicture(store.origin)).toBe('/contact/thanks')
  const kept = await db.selectFrom('stored_file').select('content_type').execute()
  expect(kept).toContainEqual({ content_type: 'image/webp' })

  const engine = readingEngineFolder()
  for (const file of ['worker.js', 'tesseract-core-simd-lstm.wasm', 'eng.traineddata.gz']) {
    const answer = await fetch(`${store.origin}${engine}/${file}`)
    expect(answer.status, file).toBe(200)
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
  }

  const services = () => new Set(receiver.spans.map(({ service }) => service))
  await eventually('traces of both processes', async () => services().size > 1 || undefined)
})

/** Sends the contact form with a PNG; returns where its answer leads. */
async function sendPicture(origin: string): Promise<string | null> {
  const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#222' } })
    .png()
    .toBuffer()
  const form = new FormData()
  const fields = {
    firstName: 'Dana',
    lastName: 'Ruiz',
    email: 'dana@example.com',
    phone: '312-555-0142',
    orderNumber: '',
    subject: 'Does it fit?',
    message: 'Do these fit?',
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('attachment', new File([new Uint8Array(png)], 'tire.png', { type: 'image/png' }))
  const answer = await fetch(`${origin}/contact`, {
    method: 'POST',
    body: form,
    headers: { origin },
    redirect: 'manual',
  })
  return answer.headers.get('location')
}
