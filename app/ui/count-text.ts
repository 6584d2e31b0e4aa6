// Created once: `toLocaleString` looks up its rules on every call, which takes twenty times as long.
const numbers = new Intl.NumberFormat('en-US')

/** 12345 → "12,345" */
export function countText(count: number): string {
  return numbers.format(count)
}

const plurals = new Intl.PluralRules('en-US')

/** 1 → "1 shop", 1200 → "1,200 shops", 0 → "0 shops". The plural may have other words: "cities and towns". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${plurals.select(count) === 'one' ? one : many}`
}
