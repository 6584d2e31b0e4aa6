/**
 * Validates documents against cXML's own DTDs, which the operator puts in a folder (docs/cxml.md). Chooses the DTD by
 * the document's type and ignores the URL in the document. libxml2 has no file or network access here.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DocumentCheck } from '#domain/channels/purchasing/document-check.port.ts'

const files = ['cXML', 'Fulfill', 'InvoiceDetail'] as const
export type DtdFile = (typeof files)[number]

/** SHA-256 of the files of 1.2.071. https://xml.cxml.org/current/cXML_DTDs.zip */
export const knownDtds: Readonly<Record<DtdFile, string>> = {
  cXML: 'd267ad7b19cbd6608b972821daacab0f4d94a8ec78610b7127dba23222198a64',
  Fulfill: '1bdb5394eac2ea243dcb124e7cb149603a53848a75d89018ee06bdc6e699d21c',
  InvoiceDetail: '4351e2b54d919e8b89c5e1dd6791347649334acec4ec3e0b31180b17163336c1',
}

/** Whether a file is the one that is known under its name. */
export function isKnownDtd(file: DtdFile, bytes: Uint8Array): boolean {
  return createHash('sha256').update(bytes).digest('hex') === knownDtds[file]
}

const kinds: Readonly<Record<string, DtdFile>> = {
  ConfirmationRequest: 'Fulfill',
  ShipNoticeRequest: 'Fulfill',
  InvoiceDetailRequest: 'InvoiceDetail',
}

/** The check against the DTDs of a folder; null while one of them is not there. */
export type CurrentCheck = { current(): Promise<DocumentCheck | null> }

/** Loads the DTDs of a folder with the first document after they are there. */
export function createDocumentCheck(directory: string): CurrentCheck {
  let loaded: DocumentCheck | null = null
  return { current: async () => (loaded ??= await loadDtds(directory)) }
}

/** Loads the DTDs of a folder; null if one of them is not there. */
export async function loadDtds(directory: string): Promise<DocumentCheck | null> {
  const texts = await Promise.all(files.map((file) => readFile(join(directory, `${file}.dtd`)).catch(() => null)))
  if (texts.some((text) => text === null)) return null
  const { DtdValidator, ParseOption, XmlDocument, XmlDtd } = await import('libxml2-wasm')
  const validators = new Map(
    files.map((file, index) => [file, new DtdValidator(XmlDtd.fromBuffer(texts[index] ?? Buffer.alloc(0)))]),
  )
  return {
    problemOf(text, kind) {
      try {
        using document = XmlDocument.fromString(text, { option: ParseOption.XML_PARSE_NONET })
        validators.get(kinds[kind] ?? 'cXML')?.validate(document)
        return null
      } catch (error) {
        return error instanceof Error ? error.message.slice(0, 300) : 'It is not valid.'
      }
    },
  }
}
