/** Streams a multipart form, for files too large for memory. The platform's parser reads the whole body into memory. */

/** The form broke off, or is not one. */
export class BrokenForm extends Error {}

export type FormPart = {
  name: string
  /** Null for a field. */
  fileName: string | null
  /** To be read to its end before the next part is. */
  bytes: AsyncGenerator<Buffer>
}

const longestHead = 4_096
const mostParts = 20

/** Yields the parts of `body` in order. Throws `BrokenForm`. */
export async function* readMultipart(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  const bytes = createTape(body, Buffer.from(`\r\n--${boundary}`))
  // The first boundary has no preceding line break, unlike the others.
  bytes.putBack(Buffer.from('\r\n'))
  for await (const piece of bytes.untilBoundary()) if (piece.length > longestHead) throw new BrokenForm()
  for (let parts = 0; (await bytes.take(2)).toString('latin1') !== '--'; parts++) {
    if (parts >= mostParts) throw new BrokenForm()
    const head = await bytes.takeLine('\r\n\r\n', longestHead)
    const name = /\bname="([^"]*)"/i.exec(head)?.[1]
    if (name === undefined) throw new BrokenForm()
    const content = bytes.untilBoundary()
    yield { name, fileName: /\bfilename="([^"]*)"/i.exec(head)?.[1] ?? null, bytes: content }
    // Drains the unread rest.
    for await (const piece of content) void piece
  }
}

/** The bytes that have arrived and are not read yet, over those still to come. */
function createTape(body: AsyncIterable<Uint8Array>, boundary: Buffer) {
  const pieces = body[Symbol.asyncIterator]()
  let waiting: Buffer = Buffer.alloc(0)

  async function more(): Promise<void> {
    const next = await pieces.next()
    if (next.done) throw new BrokenForm()
    waiting = waiting.length === 0 ? Buffer.from(next.value) : Buffer.concat([waiting, next.value])
  }
  async function take(count: number): Promise<Buffer> {
    while (waiting.length < count) await more()
    const taken = waiting.subarray(0, count)
    waiting = waiting.subarray(count)
    return taken
  }
  return {
    take,
    putBack: (piece: Buffer) => void (waiting = Buffer.concat([piece, waiting])),
    /** Reads and drops the text up to `end`. */
    async takeLine(end: string, longest: number): Promise<string> {
      while (!waiting.includes(end)) {
        if (waiting.length > longest) throw new BrokenForm()
        await more()
      }
      const line = await take(waiting.indexOf(end))
      if (line.length > longest) throw new BrokenForm()
      await take(end.length)
      return line.toString('utf8')
    },
    /** Reads the bytes before the next boundary and drops the boundary. */
    async *untilBoundary(): AsyncGenerator<Buffer> {
      for (;;) {
        const at = waiting.indexOf(boundary)
        // The end of the received data could be the start of the boundary.
        const known = at >= 0 ? at : Math.max(0, waiting.length - boundary.length)
        if (known > 0) yield await take(known)
        if (at >= 0) {
          await take(boundary.length)
          return
        }
        await more()
      }
    },
  }
}
