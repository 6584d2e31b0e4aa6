/** From a vehicle as NHTSA names it to the names that the finder may have it by. */
import { slugOf } from '#platform/slug.ts'
import type { DecodedVin } from './vin-decoder.port.ts'

/** A model of the finder, as it is named in addresses. */
export type ModelName = { makeSlug: string; modelSlug: string }

/**
 * Returns the models that a decoded vehicle may be in the finder, the narrowest first. NHTSA has "Silverado" of the series
 * "1500", "328i" of the "3-Series" and "F-250", where sizes are listed for the Silverado 1500, the 3 Series and the F-250
 * Super Duty.
 */
export function modelNames({ year, make, model, series }: DecodedVin): ModelName[] {
  const makeSlug = slugOf(make)
  const ton = /^\s*([1-5]500)\b/.exec(series ?? '')?.[1]
  const names = [
    ...(ton === undefined ? [] : [`${model} ${ton}`, `${model} ${ton}HD`]),
    model,
    ...(/^F-?\d50$/i.test(model) ? [`${model} Super Duty`] : []),
    ...(/-?(?:Series|Class)\b/i.test(series ?? '') ? [(series ?? '').replace(/-Series/i, ' Series')] : []),
    // Trucks of the make Ram were Dodges before 2011, and are named with and without it.
    ...(makeSlug === 'ram' ? [model.replace(/^Ram\s+/i, '')] : []),
    // Trims of a model that NHTSA counts as models: "C300", "GLC 300".
    ...(makeSlug === 'mercedes-benz' ? classesOf(model) : []),
  ]
  const inDodge = makeSlug === 'ram' && year < 2011
  const makes = inDodge ? ['dodge', 'ram'] : [makeSlug]
  const all = makes.flatMap((each) =>
    names.map((name) => ({ makeSlug: each, modelSlug: slugOf(each === 'dodge' ? `Ram ${name}` : name) })),
  )
  const known = new Map(all.map((name) => [`${name.makeSlug} ${name.modelSlug}`, name]))
  return [...known.values()].filter(({ modelSlug }) => modelSlug !== '')
}

function classesOf(model: string): string[] {
  const letters = /^([A-Z]{1,3})[- ]?\d/.exec(model)?.[1]
  return letters === undefined ? [] : [letters, `${letters}-Class`]
}

/** "2014 Ram 1500 SLT". */
export function decodedName({ year, make, model, trim, series }: DecodedVin): string {
  return [year, make, model, trim ?? series]
    .filter((part) => part !== null && part !== '')
    .join(' ')
    .slice(0, 90)
}

/** Returns whether a vehicle has dual rear wheels, according to its VIN. */
export function hasDualRearWheels({ trim, series, body }: DecodedVin): boolean {
  return /dual rear wheel|\bDRW\b|dually/i.test([trim, series, body].filter(Boolean).join(' '))
}
