/** Combines lists of original sizes that have the same vehicle (rule FR49). */
import { createHash } from 'node:crypto'
import { speedOf } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { ProvidedOption, SizeSource } from './size-source.port.ts'
import type { FitmentOption, ListedTire } from './vehicle.ts'

/** An original choice of sizes as one list has it. `list` is undefined for the store's open list. */
export type OptionOfList = FitmentOption & { readonly listId: number }

/**
 * Returns a vehicle's options. Sizes that all of its lists have get the highest load index and speed of any. Sizes that
 * some of them lack are weak. The first list by precedence gives an option its ID and name. Licensed lists precede the
 * open one, and later dates precede earlier ones.
 */
export function combineLists(options: readonly OptionOfList[]): FitmentOption[] {
  const lists = new Set(options.map(({ listId }) => listId))
  if (lists.size < 2) return options.map(withoutId)
  const alike = Map.groupBy(options.toSorted(byPrecedence), sizesOf)
  return [...alike.values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    const isAgreed = same.length === lists.size
    return {
      ...withoutId(first),
      front: strictest(same.map(({ front }) => front)),
      rear: strictest(same.map(({ rear }) => rear)),
      source: isAgreed && same.some(({ source }) => source === 'catalog') ? ('catalog' as const) : ('weak' as const),
    }
  })
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
      return {
        id: stored.find((option) => sizesOf(option) === sizes)?.id ?? providedId(sizes),
        front,
        rear,
        isStaggered: front.size !== rear.size,
        source: 'catalog' as const,
        listId: providedListId,
        list,
      }
    }),
  ]
}

/** The same sizes always have the same ID, so that a choice survives the next answer. */
function providedId(sizes: string): number {
  return firstProvidedId + (createHash('sha256').update(sizes).digest().readUInt32BE() >>> 2)
}

function sizesOf({ front, rear }: Pick<FitmentOption, 'front' | 'rear'>): string {
  return `${front.size} ${rear.size}`
}

function withoutId({ listId: _listId, ...option }: OptionOfList): FitmentOption {
  return option
}

function byPrecedence(one: OptionOfList, other: OptionOfList): number {
  return (other.list?.date ?? '').localeCompare(one.list?.date ?? '') || one.listId - other.listId || one.id - other.id
}

/** A value that one list lacks is filled from the others. ZR has no speed, so it counts as the highest. */
function strictest(tires: readonly ListedTire[]): ListedTire {
  const loads = tires.flatMap(({ loadIndex }) => loadIndex ?? [])
  const speeds = tires.flatMap(({ speed }) => speed ?? [])
  const kmh = (speed: string) => speedOf(speed)?.kmh ?? Infinity
  return {
    size: tires[0]?.size ?? '',
    loadIndex: loads.length === 0 ? null : Math.max(...loads),
    speed: speeds.toSorted((a, b) => kmh(b) - kmh(a))[0] ?? null,
  }
}
