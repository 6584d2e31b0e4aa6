/** A local name server that answers TXT queries from `records`. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export async function startDnsServer(records: Map<string, string[]>): Promise<{ address: string } & AsyncDisposable> {
  const socket = createSocket('udp4')
  socket.on('message', (asked, from) => socket.send(answerTo(asked, records), from.port, from.address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** RFC 1035, section 4. Repeats the question and adds a TXT record per text. */
function answerTo(asked: Buffer, records: Map<string, string[]>): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = asked[at] ?? 0; length > 0; length = asked[at] ?? 0) {
    labels.push(asked.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const question = asked.subarray(12, at + 5)
  const texts = records.get(labels.join('.').toLowerCase())
  const head = Buffer.alloc(12)
  asked.copy(head, 0, 0, 2)
  head.writeUInt16BE(texts ? 0x81_80 : 0x81_83, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(texts?.length ?? 0, 6)
  const answers = (texts ?? []).map((text) => {
    const bytes = Buffer.from(text)
    const fixed = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, 0, bytes.length + 1, bytes.length])
    return Buffer.concat([fixed, bytes])
  })
  return Buffer.concat([head, question, ...answers])
}
