/**
 * Long texts for machines, written to a file once in a while and sent from there: memory stays small however long they
 * are, nobody gets half a text, and whoever has the present one is told so. They are written one after another, so that
 * many readers cost the database no more than one.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Clock } from '#platform/clock.ts'

export type KeptText = {
  readonly etag: string
  /** Of the compressed form. */
  readonly bytes: number
  /** The text, compressed with gzip or plain; undefined when the file is gone. Read or destroy what is returned. */
  open(form: 'gzip' | 'plain'): Promise<Readable | undefined>
}

/**
 * `freshSeconds` is the age up to which a text is sent as it is. For as long again it is sent while the next is being
 * written.
 */
export function createDiskCache({
  directory,
  clock,
  freshSeconds,
}: {
  directory: string
  clock: Clock
  freshSeconds: number
}) {
  const kept = new Map<string, { text: KeptText; writtenAt: number }>()
  const underway = new Map<string, Promise<KeptText>>()
  let last: Promise<unknown> = Promise.resolve()

  return {
    /**
     * The text of that name, which is a file name, written by `write` when it is not there or too old. Throws what
     * `write` throws.
     */
    async read(name: string, write: () => AsyncIterable<string>): Promise<KeptText> {
      const entry = kept.get(name)
      const age = entry ? clock.now().epochMilliseconds - entry.writtenAt : Infinity
      if (entry && age <= freshSeconds * 1000) return entry.text
      const next = underway.get(name) ?? begin(name, write)
      if (!entry || age > 2 * freshSeconds * 1000) return next
      // The old one answers; should writing fail, the next to ask tries again.
      next.catch(() => {})
      return entry.text
    },
    /** Forgets a text whose file is gone. */
    forget(name: string): void {
      kept.delete(name)
    },
  }

  function begin(name: string, write: () => AsyncIterable<string>): Promise<KeptText> {
    const writing = last
      .then(() => writeFileOf(directory, name, write()))
      .then((text) => {
        kept.set(name, { text, writtenAt: clock.now().epochMilliseconds })
        return text
      })
      .finally(() => underway.delete(name))
    last = writing.catch(() => {})
    underway.set(name, writing)
    return writing
  }
}

export type DiskCache = ReturnType<typeof createDiskCache>

/**
 * Written under another name and then renamed; the name says what is in it, so processes that share the folder do not
 * disturb each other.
 */
async function writeFileOf(directory: string, name: string, chunks: AsyncIterable<string>): Promise<KeptText> {
  await mkdir(directory, { recursive: true })
  const draft = join(directory, `${randomUUID()}.tmp`)
  const hash = createHash('sha256')
  let bytes = 0
  async function* hashed() {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    const compressor = createGzip({ level: 6 })
    compressor.on('data', (chunk: Buffer) => (bytes += chunk.length))
    await pipeline(Readable.from(hashed()), compressor, createWriteStream(draft))
    const digest = hash.digest('base64url').slice(0, 22)
    const file = `${name}.${digest}.gz`
    await rename(draft, join(directory, file))
    const older = (await readdir(directory)).filter((other) => other.startsWith(`${name}.`) && other !== file)
    await Promise.all(older.map((other) => rm(join(directory, other), { force: true })))
    return { etag: `W/"${digest}"`, bytes, open: (form) => openFile(join(directory, file), form) }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function openFile(path: string, form: 'gzip' | 'plain'): Promise<Readable | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const stream = file?.createReadStream()
  if (!stream || form === 'gzip') return stream
  const plain = createGunzip()
  pipeline(stream, plain).catch((error: unknown) => plain.destroy(error instanceof Error ? error : undefined))
  return plain
}
