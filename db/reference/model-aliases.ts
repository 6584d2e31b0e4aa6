import { slugOf } from '#platform/slug.ts'
import type { Row } from '#db/insert-rows.ts'
import { readRows } from './read-data.ts'
import { nameKey } from './vehicle-class.ts'

type Model = { make: string; model: string }
type Alias = Model & { alias: string; aliasMake: string; first: number | null; last: number | null }

function readAliases(): Alias[] {
  const year = (text: string) => (text === '' ? null : Number(text))
  return readRows<'make' | 'alias' | 'model_make' | 'model' | 'first_year' | 'last_year'>('model-aliases.csv').map(
    (row) => ({
      aliasMake: row.make,
      alias: row.alias,
      make: row.model_make,
      model: row.model,
      first: year(row.first_year),
      last: year(row.last_year),
    }),
  )
}

/** Returns the alternative model names, with a row for each possible model. */
export function readModelAliases(): Row<'model_alias'>[] {
  return readAliases().map(({ aliasMake, alias, make, model, first, last }) => ({
    make_slug: slugOf(aliasMake),
    alias_slug: slugOf(alias),
    alias,
    model_make_slug: slugOf(make),
    model_slug: slugOf(model),
    first_year: first,
    last_year: last,
  }))
}

/**
 * Returns the models that a name means in a year. A name means itself unless it's an alias for one ("F-250") or several
 * ("Silverado").
 */
export function modelNamer(): (year: number, named: Model) => Model[] {
  const aliases = Map.groupBy(readAliases(), ({ aliasMake, alias }) => nameKey(aliasMake, alias))
  return function modelsOf(year: number, named: Model): Model[] {
    const own = nameKey(named.make, named.model)
    const meant = (aliases.get(own) ?? []).filter(
      ({ first, last }) => (first ?? year) <= year && year <= (last ?? year),
    )
    // A name that differs only in spelling is not an alias.
    const others = meant.filter(({ make, model }) => nameKey(make, model) !== own)
    return others.length === 0
      ? [meant[0] ?? named]
      : others.flatMap(({ make, model }) => modelsOf(year, { make, model }))
  }
}
