/** A provider's sizes as one more list of original sizes (rule FR49). */
import { createHash } from 'node:crypto'
import { commonWheelFacts, sourcedFacts, type WheelFacts } from '#domain/catalog/fitment/fitment.ts'
import { isSpeedSymbol, parseTireSize, sizeDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { combineLists, sizesOf, strictest, type OptionOfList } from './size-lists.ts'
import type { SizeSource, StatedSizes, StatedTire } from './size-source.port.ts'
import type { ListedTire } from './vehicle.ts'

/** An original choice of sizes, for trims with these slugs. It has no trims if the provider doesn't name any. */
export type ProvidedOption = {
  readonly trims: readonly string[]
  readonly front: ListedTire
  readonly rear: ListedTire
  readonly wheels?: WheelFacts
}

/** Returns the choices of a provider. Trims with a size that can't be read have none, so that no list is partial. */
export function readStated(all: readonly StatedSizes[]): ProvidedOption[] {
  return all.flatMap(({ trims, choices }) => {
    const read = choices.map(({ front, rear, wheels }) => ({
      front: readTire(front),
      rear: rear && readTire(rear),
      ...(wheels && { wheels }),
    }))
    const complete = read.flatMap(({ front, rear, ...rest }) =>
      front && rear ? [{ trims, front, rear, ...rest }] : [],
    )
    return complete.length === choices.length ? complete : []
  })
}

/** A speed that isn't a symbol or ZR is left out. */
function readTire({ size: text, loadIndex, speed }: StatedTire): ListedTire | undefined {
  const size = parseTireSize(text)
  const known = speed !== null && (speed === 'ZR' || isSpeedSymbol(speed)) ? speed : null
  return size && { size: sizeDesignation(size), loadIndex, speed: known }
}

/** The sizes that a provider has for one year of a model, and the day it listed them, such as 2026-10-05. */
export type ProvidedSizes = {
  readonly provider: SizeSource['name']
  readonly date: string
  readonly options: readonly ProvidedOption[]
}

const providerNames = { 'wheel-size': 'Wheel-Size' } as const satisfies Record<SizeSource['name'], string>
/** Stored lists have positive IDs. */
const providedListId = 0
/** IDs of stored options stay below this. */
const firstProvidedId = 2 ** 30

/**
 * Returns a vehicle's options with a provider's as one more list. Options in a stored list retain their ID.
 * A provider that doesn't name the trim has no sizes for it, but a model that is listed as a whole has all of them.
 */
export function withProvided(
  options: readonly OptionOfList[],
  provided: ProvidedSizes,
  trimSlug: string,
): readonly OptionOfList[] {
  const list = { name: providerNames[provided.provider], date: provided.date }
  const stored = combineLists(options)
  const possible = provided.options.filter(({ trims }) => trimSlug === 'all' || trims.includes(trimSlug))
  const bySizes = [...Map.groupBy(possible, sizesOf).entries()]
  return [
    ...options,
    ...bySizes.map(([sizes, same]) => {
      const front = strictest(same.map((option) => option.front))
      const rear = strictest(same.map((option) => option.rear))
      // Engines of one trim can differ, so a fact applies only if it is the same for all.
      const stated = same.flatMap(({ wheels }) => wheels ?? [])
      const wheels = stated.length === same.length ? sourcedFacts(commonWheelFacts(stated), [list]) : undefined
      return {
        id: stored.find((option) => sizesOf(option) === sizes)?.id ?? providedId(sizes),
        front,
        rear,
        isStaggered: front.size !== rear.size,
        source: 'catalog' as const,
        listId: providedListId,
        list,
        ...(wheels && { wheels }),
      }
    }),
  ]
}

/** The same sizes always have the same ID, so that a choice survives the next answer. */
function providedId(sizes: string): number {
  return firstProvidedId + (createHash('sha256').update(sizes).digest().readUInt32BE() >>> 2)
}
