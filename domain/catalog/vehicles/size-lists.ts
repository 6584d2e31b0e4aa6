/** Combines lists of original sizes that have the same vehicle (rule FR49). */
import { combineSourced } from '#domain/catalog/fitment/fitment.ts'
import { speedOf } from '#domain/kernel/tire-sizes/tire-sizes.ts'
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
    const wheels = combineSourced(same.flatMap((option) => option.wheels ?? []))
    return {
      ...withoutId(first),
      ...(wheels && { wheels }),
      front: strictest(same.map(({ front }) => front)),
      rear: strictest(same.map(({ rear }) => rear)),
      source: isAgreed && same.some(({ source }) => source === 'catalog') ? ('catalog' as const) : ('weak' as const),
    }
  })
}

/** Identifies a choice by its sizes, such as "225/65R17 225/65R17". */
export function sizesOf({ front, rear }: Pick<FitmentOption, 'front' | 'rear'>): string {
  return `${front.size} ${rear.size}`
}

function withoutId({ listId: _listId, ...option }: OptionOfList): FitmentOption {
  return option
}

function byPrecedence(one: OptionOfList, other: OptionOfList): number {
  return (other.list?.date ?? '').localeCompare(one.list?.date ?? '') || one.listId - other.listId || one.id - other.id
}

/** Returns the highest load index and speed for the same size. A value that one list lacks is filled from the others. ZR has no speed, so it counts as the highest. */
export function strictest(tires: readonly ListedTire[]): ListedTire {
  const loads = tires.flatMap(({ loadIndex }) => loadIndex ?? [])
  const speeds = tires.flatMap(({ speed }) => speed ?? [])
  const kmh = (speed: string) => speedOf(speed)?.kmh ?? Infinity
  return {
    size: tires[0]?.size ?? '',
    loadIndex: loads.length === 0 ? null : Math.max(...loads),
    speed: speeds.toSorted((a, b) => kmh(b) - kmh(a))[0] ?? null,
  }
}
