/** Reads the store's pages and scripts over HTTP, as browsers do, and the list of scripts that the build wrote. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { BuiltScript, PaymentPageReader } from '#domain/payments/payment-pages/page-reader.port.ts'
import { ok, refused } from '#platform/outcome.ts'

const timeoutMs = 10_000
/** Named as a monitor, so that its requests aren't counted as visits. */
export const readerAgent = 'Mozilla/5.0 (compatible; payment page monitor)'
/** In bytes; no page or script of the store is half as large. */
const mostBytes = 4 * 1024 * 1024

const inventoryForm = z.array(
  z.object({
    address: z.string(),
    integrity: z.string(),
    bytes: z.number(),
    purpose: z.string(),
    pages: z.array(z.string()),
  }),
)

/** `origin`: where the store is; `inventoryFile`: the file that the build wrote. */
export function createPageReader({
  origin,
  inventoryFile,
}: {
  origin: string
  inventoryFile: string
}): PaymentPageReader {
  let listed: readonly BuiltScript[] | null | undefined
  return {
    async page(path, cookies) {
      const answer = await request(origin + path, cookies)
      if (!answer) return refused('unavailable')
      const { status, headers, body } = answer
      return status >= 500 ? refused('unavailable') : ok({ status, headers, html: body.toString('utf8') })
    },
    async script(address) {
      const answer = await request(origin + address, null)
      if (answer?.status !== 200) return refused('unavailable')
      return ok({ integrity: integrityOf(answer.body) })
    },
    async inventory() {
      if (listed !== undefined) return listed
      const text = await readFile(inventoryFile, 'utf8').catch(() => null)
      listed = text === null ? null : inventoryForm.parse(JSON.parse(text))
      return listed
    },
  }
}

/** "sha384-…" */
export function integrityOf(bytes: Uint8Array): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`
}

type Answer = { status: number; headers: Record<string, string>; body: Buffer }

async function request(url: string, cookies: string | null): Promise<Answer | undefined> {
  try {
    const answer = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'text/html,*/*', 'user-agent': readerAgent, ...(cookies !== null && { cookie: cookies }) },
    })
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of answer.body ?? []) {
      size += part.byteLength
      if (size > mostBytes) return undefined
      parts.push(part)
    }
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: Buffer.concat(parts) }
  } catch {
    return undefined
  }
}
