/** Reads files that staff and programs send. */
import type { ActionCall, SentFile } from './define-actions.server.ts'

/** Returns a file's bytes; undefined as soon as there are more than `most`. */
export async function readSentFile(file: SentFile, most: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of file.stream()) {
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The same as text in UTF-8, without a byte order mark. */
export async function readSentText(file: SentFile, most: number): Promise<string | undefined> {
  const bytes = await readSentFile(file, most)
  return bytes && new TextDecoder().decode(bytes)
}

/** Reads a page's uploaded file, limited by its form. Null without a file, as for programs. */
export async function readUpload({ file }: ActionCall): Promise<{ name: string; bytes: Uint8Array } | null> {
  return file ? { name: file.name, bytes: Buffer.concat(await Array.fromAsync(file.stream())) } : null
}
