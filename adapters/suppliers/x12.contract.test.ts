/** Holds the adapter and the sandbox's suppliers to X12 004010 over SFTP, and the adapter to reading hostile files. */
import { expect, test } from 'vitest'
import type { EdiConnection, EdiMessage, SupplierOrder } from '#domain/supply/stock/supplier.port.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { supplierNames } from '#sandbox/suppliers/suppliers.ts'
import { readX12 } from '#sandbox/suppliers/x12.ts'
import { startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { sampleOrder } from './sample-order.testing.ts'
import SftpClient from 'ssh2-sftp-client'
import { x12Faults } from './x12-models.testing.ts'
import { readInterchange } from './x12-read.ts'
import { controlOf, writeOrder } from './x12-write.ts'
import { collectX12, sendX12 } from './x12.ts'

const [port = 0] = await freePorts(4)
const sftpPort = port + 3
const deps = {
  outgoing: createOutgoing({ trustedOrigin: null, trustsThisMachine: true }),
  store: { name: 'Sidewall' },
  isTest: true,
}

const order = sampleOrder('NORTHLINE', 'Ann*Smith ~ Söhne>')
const toName = (name: string, id?: number) => sampleOrder('NORTHLINE', name, id)

async function open(change: Partial<EdiConnection> = {}) {
  const sandbox = await startTestSandbox(port, { sftpPort, carrierPaceSeconds: 20 })
  const shown = (await (await fetch(`${sandbox.origin}/suppliers/edi.json`)).json()) as { fingerprint: string }
  const connection: EdiConnection = {
    protocol: 'edi',
    url: `sftp://localhost:${sftpPort}/NORTHLINE`,
    identity: 'SIDEWALL',
    username: 'sidewall',
    secret: testSecrets.ediPassword,
    hostKey: shown.fingerprint,
    ...change,
  }
  const inClock = { ...deps, clock: sandbox.clock }
  return {
    sandbox,
    connection,
    send: (sent: SupplierOrder, type: 'new' | 'delete' = 'new') => sendX12(inClock, connection, sent, type),
    /** Collects the supplier's messages. */
    async collect(take?: (messages: readonly EdiMessage[]) => Promise<void>) {
      const messages: EdiMessage[] = []
      const result = await collectX12(inClock, { networkId: 'NORTHLINE', connection }, async (each) => {
        await take?.(each)
        messages.push(...each)
      })
      return { result, messages }
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  }
}

/** Connects to the supplier's server as the supplier's own staff would. */
async function atServer<Value>(work: (client: SftpClient) => Promise<Value>): Promise<Value> {
  const client = new SftpClient()
  await client.connect({ host: 'localhost', port: sftpPort, username: 'sidewall', password: testSecrets.ediPassword })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function textOf(client: SftpClient, path: string): Promise<string> {
  const content = await client.get(path)
  return Buffer.isBuffer(content) ? content.toString() : ''
}

async function ordersAt({ origin }: TestSandbox) {
  const answer = await fetch(`${origin}/suppliers/orders.json`)
  return ((await answer.json()) as { orders: { orderId: string; times: number; state: string; name: string }[] }).orders
}

test('an order is a valid 850, and is placed once however often it is sent', async () => {
  const { text } = writeOrder({ sender: 'SIDEWALL', receiver: 'NORTHLINE', isTest: true }, order, {
    billTo: 'Sidewall',
    isCanceled: false,
  })
  expect(x12Faults(text)).toEqual([])
  expect(text).toContain('PO1*1*4*EA*99.50*PE*VP*KES-TOUR-2256517*MG*KT-22565~')
  expect(text).toContain('PO1*2*2*EA*0.00*PE*VP*KES-TOUR-2156017~')
  await using store = await open()
  expect(await store.send(order)).toEqual({ ok: true })
  expect(await store.send(order)).toEqual({ ok: true })
  expect(await ordersAt(store.sandbox)).toMatchObject([
    { orderId: 'PO-5001', times: 2, state: 'taken', name: 'AnnSmith  Sohne' },
  ])
})

test('the sandbox answers and ships in valid documents, which are read, acknowledged, and removed', async () => {
  await using store = await open()
  await store.send(order)
  await store.sandbox.pass({ seconds: 3 })
  await store.sandbox.pass({ seconds: 30 })
  const texts = await atServer(async (client) => {
    const files = await client.list('/NORTHLINE/out')
    return Promise.all(files.map(({ name }) => textOf(client, `/NORTHLINE/out/${name}`)))
  })
  expect(new Set(texts.map((text) => readX12(text)?.set))).toEqual(new Set(['855', '856', '997']))
  expect(texts.flatMap(x12Faults)).toEqual([])

  const { messages, result } = await store.collect()
  expect(result).toEqual({ ok: true, value: { files: 3 } })
  expect(messages).toEqual([
    expect.objectContaining({
      kind: 'confirmation',
      orderNumber: 'PO-5001',
      reference: 'C-PO-5001',
      deliveryOn: '2026-06-17',
      words: null,
      rest: null,
      lines: [
        { lineNo: 1, filled: 4, rejected: 0, backordered: 0 },
        { lineNo: 2, filled: 2, rejected: 0, backordered: 0 },
      ],
    }),
    expect.objectContaining({
      kind: 'ship-notice',
      orderNumber: 'PO-5001',
      tracking: expect.stringMatching(/^Sample Freight SF/),
      deliveryOn: '2026-06-17',
    }),
  ])
  expect(await atServer((client) => client.list('/NORTHLINE/out'))).toEqual([])
  const acknowledged = await atServer(async (client) => {
    const names = (await client.list('/NORTHLINE/in')).map(({ name }) => name)
    return Promise.all(names.map((name) => textOf(client, `/NORTHLINE/in/${name}`)))
  })
  expect(acknowledged.flatMap(x12Faults)).toEqual([])
  expect((await store.collect()).messages).toEqual([])
})

test.each([
  [supplierNames.rejects, { filled: 0, rejected: 4, backordered: 0 }],
  [supplierNames.backorders, { filled: 0, rejected: 0, backordered: 4 }],
  [supplierNames.partly, { filled: 2, rejected: 2, backordered: 0 }],
  // A substitute may not fit.
  [supplierNames.substitutes, { filled: 0, rejected: 4, backordered: 0 }],
])('the answer of %s is read by line', async (name, expected) => {
  await using store = await open()
  await store.send(toName(name))
  await store.sandbox.pass({ seconds: 3 })
  const { messages } = await store.collect()
  expect(messages).toMatchObject([{ kind: 'confirmation', lines: [{ lineNo: 1, ...expected }, { lineNo: 2 }] }])
  expect(messages[0]).toHaveProperty(
    'words',
    name === supplierNames.substitutes
      ? expect.stringContaining('They offer OTHER-TIRE instead of line 1.')
      : expect.any(String),
  )
})

test('an order is canceled, and one that the supplier can’t read is rejected', async () => {
  await using store = await open()
  await store.send(toName(supplierNames.silent))
  await store.send(toName(supplierNames.silent), 'delete')
  expect(await ordersAt(store.sandbox)).toMatchObject([{ state: 'withdrawn' }])
  await store.collect()
  await store.send({ ...toName('Ann', 5002), lines: [] })
  const { messages } = await store.collect()
  expect(messages).toMatchObject([{ kind: 'confirmation', orderNumber: 'PO-5002', rest: 'rejected', lines: [] }])
})

test('a file stays until its messages are stored, and one that can’t be read is set aside', async () => {
  await using store = await open()
  await store.send(order)
  await store.sandbox.pass({ seconds: 3 })
  const failing = (messages: readonly EdiMessage[]) =>
    messages.length > 0 ? Promise.reject(new Error('The database is away.')) : Promise.resolve()
  await expect(store.collect(failing)).rejects.toThrow('away')
  const first = await store.collect()
  expect(first.messages).toHaveLength(1)
  await atServer(async (client) => {
    await client.put(Buffer.from('ISA*00*garbage'), '/NORTHLINE/out/broken.edi')
    await client.put(Buffer.from('x'.repeat(300_000)), '/NORTHLINE/out/huge.edi')
  })
  const { result, messages } = await store.collect()
  expect(messages).toEqual([])
  expect(result).toMatchObject({
    ok: false,
    detail: { fault: expect.stringMatching(/^unreadable (broken|huge)\.edi/) },
  })
  expect((await store.collect()).result).toEqual({ ok: true, value: { files: 0 } })
})

test.each([
  [{ secret: 'wrong' }, 'refused-login'],
  [{ hostKey: `SHA256:${'A'.repeat(43)}` }, 'host-key'],
  [{ url: `sftp://localhost:${port + 2}/NORTHLINE` }, 'unreachable'],
])('a connection with %o fails, and the order is sent again later', async (change, fault) => {
  await using store = await open(change)
  expect(await store.send(order)).toMatchObject({ ok: false, reason: 'unavailable' })
  const { result } = await store.collect()
  expect(result).toMatchObject({ ok: false, detail: { fault: expect.stringContaining(fault) } })
})

const parties = { sender: 'NORTHLINE', receiver: 'SIDEWALL' }
const answer = (lines: readonly string[], ends = 'SE*#*0001~GE*1*7~IEA*1*000000007~') =>
  [
    `ISA*00*          *00*          *ZZ*NORTHLINE      *ZZ*SIDEWALL       *260615*1200*U*00401*000000007*0*T*>~`,
    'GS*PR*NORTHLINE*SIDEWALL*20260615*1200*7*X*004010~',
    'ST*855*0001~',
    ...lines.map((line) => `${line}~`),
    ends.replace('#', String(lines.length + 2)),
  ].join('')

test('documents are read only as a whole, and from their sender', () => {
  const accepted = answer(['BAK*00*AT*PO-9*20260615'])
  expect(readInterchange(accepted, parties)?.messages).toMatchObject([{ orderNumber: 'PO-9', rest: 'filled' }])
  for (const ends of ['', 'SE*3*0001~', 'SE*3*0001~GE*1*7~'])
    expect(readInterchange(answer(['BAK*00*AT*PO-9*20260615'], ends), parties)).toBeUndefined()
  expect(readInterchange(accepted.replace('SE*3', 'SE*4'), parties)).toBeUndefined()
  expect(readInterchange(accepted, { ...parties, sender: 'OTHER' })).toBeUndefined()
  for (const text of ['', 'ISA', '\0'.repeat(500), accepted + accepted, `${'ISA*'.repeat(70_000)}~`])
    expect(readInterchange(text, parties)).toBeUndefined()
})

test('an answer with an unknown form is not read, and one on hold is not an answer yet', () => {
  const read = (...lines: string[]) => readInterchange(answer(lines), parties)
  for (const lines of [
    ['BAK*00*ZZ*PO-9*20260615'],
    ['BAK*00*AC**20260615'],
    ['BAK*00*AC*PO-9*20260615', 'PO1*1*x*EA', 'ACK*IA*4*EA'],
    ['BAK*00*AC*PO-9*20260615', 'PO1*1*4*EA', 'ACK*IA*-4*EA'],
  ]) {
    const found = read(...lines)
    expect(found?.messages).toEqual([])
    expect(found?.acknowledged[0]?.sets[0]?.isRead).toBe(false)
  }
  expect(read('BAK*00*AC*PO-9*20260615', 'PO1*1*4*EA', 'ACK*IH*4*EA')?.messages).toMatchObject([
    { lines: [], rest: null },
  ])
  expect(read('BAK*00*AC*PO-9*20260615', 'PO1*1*4*EA', 'ACK*BP*1*EA*067*20260620')?.messages).toMatchObject([
    { lines: [{ filled: 1, backordered: 3 }], deliveryOn: '2026-06-20' },
  ])
})

test('control numbers differ by order, series, attempt, and cancellation', () => {
  const numbers = ['PO-5001', 'PO-5001-2', 'PO-5002', 'SPO-5001', 'PO-49999999'].flatMap((number) => [
    controlOf(number, false),
    controlOf(number, true),
  ])
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(Math.max(...numbers)).toBeLessThan(900_000_000)
})
