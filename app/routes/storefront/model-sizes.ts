export type SizeYears = { size: string; years: string }

/** Returns a model's sizes with their years, most years first: "2013–2018, 2021". */
export function yearRanges(
  years: readonly { readonly year: number; readonly sizes: readonly string[] }[],
): SizeYears[] {
  const bySize = Map.groupBy(
    years.flatMap(({ year, sizes }) => sizes.map((size) => ({ size, year }))),
    ({ size }) => size,
  )
  return [...bySize]
    .map(([size, entries]) => ({ size, years: entries.map(({ year }) => year).sort((a, b) => a - b) }))
    .sort((a, b) => b.years.length - a.years.length || (a.size < b.size ? -1 : 1))
    .map(({ size, years: listed }) => ({ size, years: rangesText(listed) }))
}

function rangesText(years: readonly number[]): string {
  const runs: [first: number, last: number][] = []
  for (const year of years) {
    const last = runs.at(-1)
    if (last && year === last[1] + 1) last[1] = year
    else runs.push([year, year])
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ')
}
