/** A tire type or a category, as its office page shows it. */
import type { FieldOptions } from '#app/ui/select-options.tsx'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import type { OfficeTireType } from '#domain/catalog/catalog/catalog.server.ts'
import { maxTireTypeName } from '#domain/catalog/catalog/catalog.ts'
import { listTireTypes, type TireTypeLevel } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import type { Application } from '#application'

export type TireTypeView = {
  level: TireTypeLevel
  /** Null for a new one. */
  own: OfficeTireType | null
  title: string
  /** The name in the form. */
  name: string
  /** The import that led here. */
  from: number | null
  /** The slug and name of a category's type. */
  type: string
  typeName: string | null
  /** The types that a category may have, by slug; null for a type. */
  types: FieldOptions | null
  /** The slug of the one in front, and of all others with their names. */
  after: string
  order: FieldOptions
  /** The page for shoppers; null without tires. */
  storePath: string | null
}

/** Returns one by its slug, or the form of a new one; undefined if it doesn't exist. */
export async function readTireType(
  app: Application,
  { level, slug, query }: { level: TireTypeLevel; slug: string; query: URLSearchParams },
): Promise<TireTypeView | undefined> {
  const known = await listTireTypes(app)
  const all: readonly OfficeTireType[] = known[level]
  const own = all.find((each) => each.slug === slug) ?? null
  if (own === null && slug !== 'new') return undefined
  const type = own && 'type' in own ? String(own.type) : ''
  const place = own ? all.indexOf(own) : all.length
  return {
    level,
    own,
    ...newOrOwn(own, level, query),
    type,
    typeName: known.types.find((each) => each.slug === type)?.name ?? null,
    types: level === 'types' ? null : namesOf(known.types.filter((each) => !each.isRetired || each.slug === type)),
    after: all[place - 1]?.slug ?? '',
    order: [['', 'First in the list'], ...namesOf(all.filter((each) => each !== own))],
    storePath:
      own === null || own.tires === 0 ? null : level === 'types' ? paths.type(own.slug) : paths.category(own.slug),
  }
}

/** The number of the import in an address or a form; undefined without one. */
export function importOf(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

/** Where a form leads after a type or category was added. */
export function pathAfterAdding(fields: URLSearchParams): string {
  const from = importOf(fields.get('from'))
  return from === undefined
    ? officePaths.officeTireTypes({ done: 'added' })
    : officePaths.officeImport(from, 'category-added')
}

function newOrOwn(own: OfficeTireType | null, level: TireTypeLevel, query: URLSearchParams) {
  if (own) return { title: own.name, name: own.name, from: null }
  const name = (query.get('name') ?? '').replaceAll('\0', '').trim().slice(0, maxTireTypeName)
  return {
    title: level === 'types' ? 'New tire type' : 'New category',
    name,
    from: importOf(query.get('from')) ?? null,
  }
}

function namesOf(all: readonly OfficeTireType[]): [string, string][] {
  return all.map(({ slug, name }) => [slug, name])
}
