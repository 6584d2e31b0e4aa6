import { sizeSlug, tireGeometry, type TireKind } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { Row } from '#db/insert-rows.ts'
import { canonicalSize, sizeIn } from '#db/reference/tire-sizes.ts'
import { readRows } from '#db/reference/read-data.ts'
import type { Fitment } from '#db/reference/vehicles.ts'

export type SizeKind = 'P' | 'LT' | 'FLOTATION' | 'C' | 'ST' | 'T' | 'COMMERCIAL'

/**
 * A load specification of a size. Passenger sizes have SL or XL; the others have a load range letter, except spares.
 */
export type Strength = {
  loadClass: 'SL' | 'XL' | null
  loadRange: string | null
  loadIndex: number
  dualLoadIndex: number | null
  maxPsi: number
}

/** A requirement of listed vehicles for this size on one axle, and how many vehicles have it. */
export type Requirement = { loadIndex: number; speed: string; vehicles: number }

export type Size = {
  id: number
  designation: string
  kind: SizeKind
  width: number
  aspect: number
  rim: number
  diameter: number
  strengths: readonly Strength[]
  requirements: readonly Requirement[]
  /** Number of vehicles (year, make, model, trim) that list it, as a measure of demand. */
  vehicles: number
}

/** The sizes of `db/data/tire-loads.csv` with the strengths each is made in and the listed vehicles' requirements. */
export function readSizes(fitments: readonly Fitment[]): Size[] {
  const strengths = Map.groupBy(
    readRows<'size' | 'load_class' | 'load_index' | 'dual_load_index' | 'max_psi'>('tire-loads.csv'),
    (row) => canonicalSize(row.size),
  )
  const requirements = requirementsBySize(fitments)
  return [...strengths].map(([designation, rows], index) => {
    const asked = requirements.get(designation)
    return {
      id: index + 1,
      ...dimensionsOf(designation),
      vehicles: asked?.vehicles.size ?? 0,
      requirements: [...(asked?.requirements.values() ?? [])],
      strengths: rows.map((made) => ({
        loadClass: made.load_class === 'SL' || made.load_class === 'XL' ? made.load_class : null,
        loadRange: /^[B-L]$/.test(made.load_class) ? made.load_class : null,
        loadIndex: Number(made.load_index),
        dualLoadIndex: made.dual_load_index ? Number(made.dual_load_index) : null,
        maxPsi: Number(made.max_psi),
      })),
    }
  })
}

/**
 * Adds metric sizes beyond the listed ones, most common first, for catalogs much larger than a real one: `count`
 * designations in all, the given ones first. Their load indexes come from a fit through the known ones (standard
 * deviation 0.5 index); no listed vehicle requires them.
 */
export function withMoreSizes(sizes: readonly Size[], count: number): Size[] {
  const known = new Set(sizes.map((size) => size.designation))
  const more: Size[] = []
  for (let width = 145; width <= 355; width += 10) {
    for (let aspect = 25; aspect <= 85; aspect += 5) {
      for (let rim = 13; rim <= 24; rim++) {
        const designation = `${width}/${aspect}R${rim}`
        const diameter = rim * 25.4 + (2 * width * aspect) / 100
        if (known.has(designation) || diameter < 530 || diameter > 960) continue
        const loadIndex = Math.min(125, Math.max(60, Math.round(usualLoadIndex(width, aspect, rim))))
        more.push({
          id: 0,
          designation,
          kind: 'P',
          width,
          aspect,
          rim,
          diameter,
          vehicles: 0,
          requirements: [],
          strengths: [
            { loadClass: 'SL', loadRange: null, loadIndex, dualLoadIndex: null, maxPsi: 51 },
            { loadClass: 'XL', loadRange: null, loadIndex: loadIndex + 4, dualLoadIndex: null, maxPsi: 50 },
          ],
        })
      }
    }
  }
  // Typical proportions first, because extreme ones are the least plausible.
  const oddity = (size: Size): number =>
    Math.abs(size.diameter - 690) / 100 + Math.abs(size.width - 235) / 50 + Math.abs(size.aspect - 50) / 15
  more.sort((a, b) => oddity(a) - oddity(b))
  return [...sizes, ...more.slice(0, Math.max(0, count - sizes.length))].map((size, index) => ({
    ...size,
    id: index + 1,
  }))
}

/** The same as rows of the table. */
export function slugOfSize({ designation }: Pick<Size, 'designation'>): string {
  return sizeSlug(sizeIn(designation))
}

export function sizeRows(sizes: readonly Size[]): Row<'size'>[] {
  return sizes.map(({ id, designation, kind, width, aspect, rim, diameter }) => ({
    id,
    designation,
    slug: slugOfSize({ designation }),
    kind,
    section_width_mm: width,
    aspect,
    rim_in: rim,
    overall_diameter_mm: Math.round(diameter * 100) / 100,
  }))
}

/**
 * Returns the standard load index by width (mm), aspect (%), and rim (in), from a least squares fit over 110 known
 * sizes.
 */
export function usualLoadIndex(width: number, aspect: number, rim: number): number {
  const [w, a, r] = [Math.log(width), Math.log(aspect), Math.log(rim)]
  const [base, perWidth, perAspect, perRim, perAspectSquared, perAspectRim] = loadIndexFit
  return base + perWidth * w + perAspect * a + perRim * r + perAspectSquared * a * a + perAspectRim * a * r
}

const loadIndexFit = [-333.551, 61.2051, 8.70694, -8.21963, 0.313698, 7.22765] as const

const kinds: Record<TireKind, SizeKind> = {
  passenger: 'P',
  lt: 'LT',
  c: 'C',
  st: 'ST',
  spare: 'T',
  commercial: 'COMMERCIAL',
}

function dimensionsOf(
  designation: string,
): Pick<Size, 'designation' | 'kind' | 'width' | 'aspect' | 'rim' | 'diameter'> {
  const size = sizeIn(designation)
  const { rimIn, sectionWidthMm, sidewallMm, overallDiameterMm } = tireGeometry(size)
  if (sidewallMm === undefined || overallDiameterMm === undefined)
    throw new Error(`${designation} does not tell its diameter`)
  return {
    designation,
    kind: size.form === 'flotation' ? 'FLOTATION' : kinds[size.kind],
    width: sectionWidthMm,
    aspect: Math.round((sidewallMm / sectionWidthMm) * 10_000) / 100,
    rim: rimIn,
    diameter: overallDiameterMm,
  }
}

function requirementsBySize(
  fitments: readonly Fitment[],
): Map<string, { requirements: Map<string, Requirement>; vehicles: Set<number> }> {
  const sizes = new Map<string, { requirements: Map<string, Requirement>; vehicles: Set<number> }>()
  for (const fitment of fitments) {
    for (const [size, loadIndex, speed] of [
      [fitment.front_size, fitment.front_load_index, fitment.front_speed],
      [fitment.rear_size, fitment.rear_load_index, fitment.rear_speed],
    ] as const) {
      if (loadIndex == null || speed == null) continue
      const ofSize = sizes.get(size) ?? { requirements: new Map<string, Requirement>(), vehicles: new Set<number>() }
      const key = `${loadIndex}${speed}`
      ofSize.requirements.set(key, { loadIndex, speed, vehicles: (ofSize.requirements.get(key)?.vehicles ?? 0) + 1 })
      ofSize.vehicles.add(fitment.vehicle_id)
      sizes.set(size, ofSize)
    }
  }
  return sizes
}
