/** Rewrites cells of other programs as the feeds write them. What it does not know stays, and is reported by the feed. */
import { sizeDesignation, type TireMarking } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { plainText } from '#platform/html-text.ts'
import { longestAbout, longestCell } from './cells.ts'
import { findTire } from './found-tire.ts'

const poundsPerGram = 1 / 453.592_37
/** How many characters of a description's HTML are read. */
const longestHtml = 20_000

/**
 * The value for `column` of a feed in `text`, a cell of the file's column `from`. Reads a size inside a product's name,
 * "$1,299" as 1299, "TRUE" as yes, grams as pounds, a description's HTML as text.
 */
export function readForeignCell(column: string, text: string, from: string): string {
  if (text === '') return text
  if (column === 'line_about' || column === 'brand_about') return aboutOf(text.slice(0, longestHtml))
  if (column === 'picture_url') return firstAddress(text)
  if (text.length > longestCell) return text
  return readers[column]?.(text, from) ?? text
}

type CellReader = (text: string, from: string) => string | undefined

const money: CellReader = (text) => {
  const plain = text.replaceAll(/[$,\s]|USD/g, '')
  return /^\d+(?:\.\d+)?$/.test(plain) ? String(Math.round(Number(plain) * 100) / 100) : undefined
}

const yes = ['true', '1', 'yes', 'y', 'active', 'publish', 'published', 'visible']
/** WooCommerce writes 1 for published, 0 for private, -1 for draft, and 2 for pending review. */
const no = ['false', '0', '-1', '2', 'no', 'n', 'draft', 'archived', 'private', 'pending', 'hidden']
const yesNo: CellReader = (text) => {
  const word = text.toLowerCase()
  return yes.includes(word) ? 'yes' : no.includes(word) ? 'no' : undefined
}

const word: CellReader = (text) =>
  text
    .toLowerCase()
    .trim()
    .replaceAll(/[\s_/]+/g, '-')

/** "Tires > All Terrain, Sale" is "all-terrain": the last part of a path, of the first of several. */
const category: CellReader = (text, from) =>
  word(text.includes(' > ') ? (text.split(', ')[0]?.split(' > ').at(-1) ?? '') : text, from)

/** Spreadsheets keep long digits as text with an apostrophe in front. */
const digits: CellReader = (text) => text.replace(/^'/, '').replaceAll(/[\s-]/g, '')

const weight: CellReader = (text, from) => {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(g|kg|oz|lbs?)?$/i.exec(text) ?? []
  if (amount === '') return undefined
  const named =
    unit.toLowerCase() ||
    (/gram|\(g\)/.test(from) ? 'g' : /\(kg\)/.test(from) ? 'kg' : /\(oz\)/.test(from) ? 'oz' : 'lb')
  const pounds = { g: poundsPerGram, kg: 1000 * poundsPerGram, oz: 1 / 16 }[named] ?? 1
  return (Math.round(Number(amount) * pounds * 10) / 10).toString()
}

/** A description in one line, cut after a sentence or a word if it is too long. */
function aboutOf(html: string): string {
  const text = plainText(html.replaceAll(/<(?=\/?(?:br|div|h[1-6]|li|p|t[dhr])\b)/gi, ' <'))
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  if (line.length <= longestAbout) return line
  const start = line.slice(0, longestAbout)
  const sentence = /^.*[.!?](?= )/.exec(start)?.[0]
  return sentence ?? `${start.slice(0, -1).replace(/ [^ ]*$/, '')}…`
}

/** The first of several addresses. Stores that write http serve https, too. */
function firstAddress(text: string): string {
  const [first = ''] = text.split(/,\s*(?=https?:\/\/)/, 1)
  return first.trim().replace(/^http:/, 'https:')
}

/** A cell that is the value itself, or a name with a tire marking in it. */
function marked(isPlain: RegExp, read: (tire: TireMarking) => string | number | undefined): CellReader {
  return (text) => {
    const found = isPlain.test(text) ? undefined : findTire(text)
    return found && String(read(found.tire) ?? '')
  }
}

const readers: Readonly<Record<string, CellReader>> = {
  line: (text) => findTire(text)?.before || undefined,
  size: (text) => {
    const found = findTire(text)
    return found && sizeDesignation(found.tire.size)
  },
  load_index: marked(/^\d{1,3}$/, (tire) => tire.loadIndex),
  dual_load_index: marked(/^\d{1,3}$/, (tire) => tire.dualLoadIndex),
  speed: marked(/^\(?[A-Z]\)?$/i, (tire) => (tire.speed === 'ZR' ? undefined : tire.speed)),
  load_class: marked(/^(?:SL|XL|HL)$/i, (tire) => tire.loadClass),
  load_range: marked(/^[A-Z]$/i, (tire) => tire.loadRange),
  run_flat: (text, from) => yesNo(text, from) ?? marked(/^$/, (tire) => (tire.runFlat ? 'yes' : 'no'))(text, from),
  weight_lb: weight,
  price: money,
  cost: money,
  fet: money,
  total: money,
  line_price: money,
  active: yesNo,
  consent: yesNo,
  m_plus_s: yesNo,
  three_peak: yesNo,
  ev: yesNo,
  category,
  // Shopify's inventory export, for a location without the tire.
  on_hand: (text) => (text.toLowerCase() === 'not stocked' ? '0' : undefined),
  tread: category,
  gtin: digits,
}
