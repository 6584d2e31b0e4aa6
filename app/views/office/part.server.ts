/** A part, as its office page shows it. */
import type { FieldOptions } from '#app/ui/select-options.tsx'
import { findPart } from '#domain/supply/parts/parts.server.ts'
import {
  partKindOf,
  partKinds,
  partName,
  partValues,
  type Part,
  type PartKind,
  type PartStock,
} from '#domain/supply/parts/parts.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'

export type PartView = {
  /** Null for a new one. */
  part: Part | null
  title: string
  /** The values of the form, by field. */
  values: Record<string, string>
  kinds: FieldOptions
  /** The part’s fields with their values in words. Fields of its kind have options. */
  fields: { key: string; label: string; options: FieldOptions | null; shown: string }[]
  stock: PartStock[]
}

/** Returns a part by its SKU, or the form of a new one; undefined if it doesn't exist. */
export async function readPart(
  app: Pick<Application, 'db'>,
  { sku, kind: asked }: { sku: string; kind: string | null },
): Promise<PartView | undefined> {
  const found = sku === 'new' ? null : await findPart(app, sku)
  if (found === undefined) return undefined
  if (found === null) {
    const kind = partKinds.find(({ key }) => key === asked) ?? partKinds[0]
    const values = { kind: kind?.key ?? '', version: '0' }
    return { part: null, title: 'New part', values, kinds, fields: fieldsOf(kind, values), stock: [] }
  }
  const { part, stock } = found
  const kind = partKindOf(part.kind)
  const values = partValues(part)
  const plain = [
    { key: 'sku', label: 'SKU', options: null, shown: part.sku },
    { key: 'kind', label: 'Kind', options: null, shown: kind?.name ?? part.kind },
    { key: 'price', label: 'Price', options: null, shown: formatCents(part.priceCents) },
  ]
  return { part, title: partName(part), values, kinds, fields: [...plain, ...fieldsOf(kind, values)], stock }
}

const kinds: FieldOptions = partKinds.map(({ key, name }) => [key, name])

function fieldsOf(kind: PartKind | undefined, values: Readonly<Record<string, string>>): PartView['fields'] {
  return (kind?.fields ?? []).map(({ key, label, options }) => ({
    key,
    label,
    options,
    shown: options.find(([value]) => value === values[key])?.[1] ?? 'Not set',
  }))
}
