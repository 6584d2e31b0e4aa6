/** Label files, which EasyPost stores in a bucket with public URLs. */
import type { CarrierAnswer, LabelFormat } from '#domain/ordering/orders/carrier.port.ts'
import { maxLabelFileBytes } from '#domain/ordering/orders/carrier.port.ts'
import { requestIdHeader } from '#platform/request-scope.ts'

/** The first bytes of each format: PDF 2.0, section 7.5.2, and the start of a ZPL II label. */
const starts: Readonly<Record<LabelFormat, string>> = { pdf: '%PDF-', zpl: '^XA' }

/**
 * Downloads a label of at most `maxLabelFileBytes` from EasyPost's URL. Requests only EasyPost's buckets over https.
 * The sandbox serves files at its API's origin. Any error or a file of another kind means unavailable.
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

/** Returns the URL to request: EasyPost's own, or the same path at the sandbox's origin. */
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
