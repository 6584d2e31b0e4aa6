/**
 * Writes `app/ui/fonts/*.woff2`: the store's fonts, limited to the letters, weights, widths, and features that its
 * pages use, which makes them a third of their size. Other letters use the system's font. Run it manually after
 * changing a font, a set below, or a weight: `node tools/fonts/make-fonts.ts`. The fonts are under their own license
 * (`OFL.txt`).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create } from 'fontkit'
import subsetFont from 'subset-font'
import { unpackWoff2 } from '../glyphs/woff2.ts'

const ASCII = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index)).join('')
const SIGNS = '\u00A0©®°±²·×½¼¾–—‘’“”•…−→←↗✓™′″'
const WESTERN = 'ÀÁÂÄÇÈÉÊËÍÎÏÑÓÔÖÚÜàáâäçèéêëíîïñóôöúüß'
export const LETTERS = ASCII + SIGNS + WESTERN
const PLAIN_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `cv11` and `ss03` are the letterforms in the base style sheet. */
const FONTS = {
  archivo: {
    file: '@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2',
    letters: LETTERS,
    axes: { wght: { min: 700, max: 800, default: 700 }, wdth: { min: 100, max: 125, default: 100 } },
    features: ['kern', 'ccmp', 'tnum'],
  },
  /** Brands set in their own weight and width; only pages that name brands so load it. */
  wordmarks: {
    file: '@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2',
    letters: `${PLAIN_LETTERS}0123456789 &-.'’`,
    axes: { wght: { min: 300, max: 900, default: 700 }, wdth: { min: 75, max: 125, default: 100 } },
    features: ['kern', 'ccmp'],
  },
  inter: {
    file: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    letters: LETTERS,
    axes: { wght: { min: 400, max: 800, default: 400 } },
    features: ['kern', 'ccmp', 'tnum', 'cv11', 'ss03'],
  },
} as const

export type FontName = keyof typeof FONTS

function fileOf(name: FontName): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(FONTS[name].file))
}

/** The cut font, as WOFF2. */
export function makeFont(name: FontName): Promise<Buffer> {
  const { axes, features, letters } = FONTS[name]
  return subsetFont(fileOf(name), letters, {
    targetFormat: 'woff2',
    variationAxes: axes,
    keepFeatures: [...features],
    noHinting: true,
  })
}

/**
 * The lowercase letter widths of Arial and Arial Bold in thousandths of the size (Adobe's Helvetica metrics, which
 * Arial shares), and each letter's frequency in English text in percent.
 */
const FREQUENT =
  'e 12.7 t 9.1 a 8.2 o 7.5 i 7 n 6.7 s 6.3 h 6.1 r 6 d 4.3 l 4 c 2.8 u 2.8 m 2.4 w 2.4 f 2.2 g 2 y 2 p 1.9 b 1.5 v 1'
const ARIAL =
  'e 556 t 278 a 556 o 556 i 222 n 556 s 500 h 556 r 333 d 556 l 222 c 500 u 556 m 833 w 722 f 278 g 556 y 500 p 556 b 556 v 500'
const ARIAL_BOLD =
  'e 556 t 333 a 556 o 611 i 278 n 611 s 556 h 611 r 389 d 611 l 278 c 556 u 611 m 889 w 778 f 333 g 611 y 556 p 611 b 611 v 556'

/**
 * Returns the size, ascent, and descent in percent that make the system's Arial as wide as a font, so that the layout
 * doesn't shift when the font loads.
 */
export function fallbackMetrics(name: 'archivo' | 'inter'): { size: string; ascent: string; descent: string } {
  // fontkit cannot vary WOFF2 fonts, only plain TrueType.
  const font = create(Buffer.from(unpackWoff2(fileOf(name)))).getVariation(
    name === 'archivo' ? { wdth: 100, wght: 700 } : { wght: 400 },
  )
  const widths = read(name === 'archivo' ? ARIAL_BOLD : ARIAL)
  const sum = (widthOf: (letter: string) => number) =>
    [...read(FREQUENT)].reduce((total, [letter, share]) => total + share * widthOf(letter), 0)
  const own = sum((letter) => font.layout(letter).positions[0]?.xAdvance ?? 0) / font.unitsPerEm
  const size = own / (sum((letter) => widths.get(letter) ?? 0) / 1_000)
  const percent = (value: number) => `${(value * 100).toFixed(1)}%`
  return {
    size: percent(size),
    ascent: percent(font.ascent / font.unitsPerEm / size),
    descent: percent(-font.descent / font.unitsPerEm / size),
  }
}

function read(table: string): Map<string, number> {
  return new Map([...table.matchAll(/([a-z]) ([\d.]+)/g)].map(([, letter = '', number]) => [letter, Number(number)]))
}

if (import.meta.main)
  for (const name of Object.keys(FONTS) as FontName[]) {
    const font = await makeFont(name)
    writeFileSync(new URL(`../../app/ui/fonts/${name}.woff2`, import.meta.url), font)
    const inItsPlace = name === 'wordmarks' ? '' : `, in place of it ${JSON.stringify(fallbackMetrics(name))}`
    process.stdout.write(`${name}: ${font.length} bytes${inItsPlace}\n`)
  }
