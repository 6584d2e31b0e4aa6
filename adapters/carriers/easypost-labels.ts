/** The files of labels, which EasyPost keeps in a bucket with public addresses. */
import type { CarrierAnswer, LabelFormat } from '#domain/orders/carrier.port.ts'
import { maxLabelFileBytes } from '#domain/orders/carrier.port.ts'
import { requestIdHeader } from '#platform/request-scope.ts'

/** How a file of each format begins: PDF 2.0, section 7.5.2, and the start of a ZPL II label. */
const starts: Readonly<Record<LabelFormat, string>> = { pdf: '%PDF-', zpl: '^XA' }

/**
 * Downloads a label of at most `maxLabelFileBytes` from where EasyPost says it is. Only EasyPost's buckets are asked, over
 * https; the sandbox serves files at the origin of its API. Any fault, or a file of another kind, means unavailable.
 */
export async function downloadLabel(
  address: string,
  { format, apiOrigin, timeoutMs }: { format: LabelFormat; apiOrigin: string; timeoutMs: number },
): Promise<CarrierAnswer<Uint8Array>> {
  const url = trusted(address, apiOrigin)
  if (!url) return unavailable('The label is at an address that is not EasyPost’s.')
  try {
    const answer = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: requestIdHeader(),
    })
    if (!answer.ok) return unavailable(`The label answers with status ${answer.status}.`)
    const bytes = await readUpTo(answer, maxLabelFileBytes)
    if (!bytes) return unavailable('The label is too large.')
    return Buffer.from(bytes).subarray(0, 200).toString('latin1').trimStart().startsWith(starts[format])
      ? { ok: true, value: bytes }
      : unavailable(`The label is no ${format} file.`)
  } catch (error) {
    return unavailable(error instanceof Error ? error.message : 'failed')
  }
}

/** The address to ask: EasyPost's own, or for an API that is not at EasyPost the same path at its origin. */
function trusted(address: string, apiOrigin: string): URL | undefined {
  const url = URL.parse(address)
  const api = new URL(apiOrigin)
  if (!url) return undefined
  if (!isEasyPost(api)) return new URL(`${url.pathname}${url.search}`, api.origin)
  const isBucket = url.protocol === 'https:' && /^easypost-files\.s3[a-z0-9.-]*\.amazonaws\.com$/.test(url.hostname)
  return isEasyPost(url) || isBucket ? url : undefined
}

function isEasyPost({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' && /(?:^|\.)easypost\.com$/.test(hostname)
}

async function readUpTo(answer: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.length
    if (size > maxBytes) return undefined
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

function unavailable(message: string): CarrierAnswer<never> {
  return { ok: false, reason: 'unavailable', cause: new Error(message) }
}
