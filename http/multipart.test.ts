import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BrokenForm, readMultipart } from './multipart.ts'

const boundary = '----WebKitFormBoundaryx'

/** The body that a browser sends for these parts. */
function bodyOf(parts: readonly { name: string; fileName?: string; bytes: Uint8Array }[]): Buffer {
  const pieces = parts.flatMap(({ name, fileName, bytes }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: text/csv`}\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

async function* inPieces(body: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    yield body.subarray(at, at + length)
    at += length
  }
}

async function read(pieces: AsyncIterable<Buffer>) {
  const found: { name: string; fileName: string | null; text: string }[] = []
  for await (const { name, fileName, bytes } of readMultipart(pieces, boundary))
    found.push({ name, fileName, text: Buffer.concat(await Array.fromAsync(bytes)).toString('latin1') })
  return found
}

/** Bytes that look like the beginning of a boundary, among others. */
const content = fc
  .array(fc.oneof(fc.constantFrom('\r\n', '--', '\r\n--', `\r\n--${boundary.slice(0, -1)}`, '\0'), fc.string()))
  .map((texts) => Buffer.from(texts.join(''), 'latin1'))
  .filter((bytes) => !bytes.includes(`--${boundary}`))

test('reads the parts of any form, however its bytes are divided', () =>
  fc.assert(
    fc.asyncProperty(content, content, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (...made) => {
      const [field, file, lengths] = made
      const body = bodyOf([
        { name: 'kind', bytes: field },
        { name: 'file', fileName: 'prices "1".csv'.replaceAll('"', '%22'), bytes: file },
      ])
      expect(await read(inPieces(body, lengths))).toEqual([
        { name: 'kind', fileName: null, text: field.toString('latin1') },
        { name: 'file', fileName: 'prices %221%22.csv', text: file.toString('latin1') },
      ])
    }),
  ))

test('skips unread parts', async () => {
  const body = bodyOf([
    { name: 'a', bytes: Buffer.alloc(10_000, 'x') },
    { name: 'b', bytes: Buffer.from('y') },
  ])
  const names: string[] = []
  for await (const { name } of readMultipart(inPieces(body, [700]), boundary)) names.push(name)
  expect(names).toEqual(['a', 'b'])
})

test.for([
  ['cut off', bodyOf([{ name: 'a', bytes: Buffer.from('text') }]).subarray(0, -6)],
  ['no form', Buffer.from('sku,price\n')],
  ['without a name', Buffer.from(`--${boundary}\r\nContent-Type: text/plain\r\n\r\nx\r\n--${boundary}--\r\n`)],
  ['an endless head', Buffer.from(`--${boundary}\r\n${'x'.repeat(9_000)}`)],
  ['too many parts', bodyOf(Array.from({ length: 21 }, () => ({ name: 'a', bytes: Buffer.from('x') })))],
] as const)('refuses a body that is %s', async ([, body]) => {
  await expect(read(inPieces(body, [1_000]))).rejects.toBeInstanceOf(BrokenForm)
})
