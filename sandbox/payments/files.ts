/** Evidence files. Stores Stripe's metadata without the content. */
import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import { unixSeconds, type Ledger } from './ledger.ts'
import { notFound, refusedParameter } from './refusal.ts'

/** The most that Stripe takes for evidence, and what it may be. */
const mostBytes = 5_000_000
const types: Readonly<Record<string, string>> = { 'application/pdf': 'pdf', 'image/jpeg': 'jpg', 'image/png': 'png' }

/** The fields of evidence that hold a file. */
const fileFields = [
  'receipt',
  'customer_communication',
  'customer_signature',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
]

/** Saves an upload. Idempotent by key. */
export function keepFile(
  ledger: Ledger,
  given: { purpose: unknown; file: { name: string; type: string; size: number } | null; key: string | null },
): Stripe.File {
  const { purpose, file, key } = given
  const kept =
    key === null
      ? undefined
      : ledger.files.list({ limit: 10_000 }).find((one) => one.key === key && one.file.size === file?.size)
  if (kept) return kept.file
  if (purpose !== 'dispute_evidence')
    throw refusedParameter('purpose', 'parameter_invalid', 'The sandbox stores only dispute evidence.')
  const type = types[file?.type ?? '']
  if (!file || type === undefined)
    throw refusedParameter('file', 'file_type_invalid', 'Evidence has to be a PDF, JPEG or PNG.')
  if (file.size === 0 || file.size > mostBytes)
    throw refusedParameter('file', 'file_size_invalid', 'Evidence has to be smaller than 5 MB, and not empty.')
  const made: Stripe.File = {
    id: newId('file_'),
    object: 'file',
    created: unixSeconds(ledger.now()),
    expires_at: null,
    filename: file.name,
    links: null,
    purpose: 'dispute_evidence',
    size: file.size,
    title: null,
    type,
    url: null,
  }
  ledger.files.put(made.id, { file: made, key })
  return made
}

/** Evidence names only files that were uploaded before. */
export function refuseUnknownFiles(ledger: Ledger, evidence: Record<string, string>): void {
  for (const field of fileFields) {
    const id = evidence[field]
    if (id !== undefined && !ledger.files.get(id)) throw notFound('file', id)
  }
}
