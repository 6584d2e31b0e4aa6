/**
 * A store's two colors, with contrast checks. Text on each reaches 4.5 to 1 (WCAG 2.2), in the shop's bar and on the
 * page. Safe in the browser.
 */
import { tokenColors } from '#domain/kernel/settings/settings.ts'
import { contrastOf, leastContrast } from '#platform/contrast.ts'

export type StoreColors = { brand: string; accent: string }

/** `nearest` is the color closest to the one given that can be used; its text reaches at least 4.5 to 1. */
export type StoreColorFault = { color: keyof StoreColors; ratio: number; nearest: string }

/** Returns the text color on the shop's bar, ink or white, by higher contrast. */
export function textOn(color: string): string {
  const { ink, chalk } = tokenColors
  return contrastOf(color, chalk) >= contrastOf(color, ink) ? chalk : ink
}

/** The shop's color as text on the pages' light grounds, where it can be read there; else ink. */
export function headlineColor(brand: string): string {
  const { paper, chalk, ink } = tokenColors
  return Math.min(contrastOf(brand, paper), contrastOf(brand, chalk)) >= leastContrast ? brand : ink
}

/** The text contrast on each color. The bar uses the better of ink and white; buttons always have dark text. */
const ratioOf: Readonly<Record<keyof StoreColors, (color: string) => number>> = {
  brand: (color) => contrastOf(color, textOn(color)),
  accent: (color) => contrastOf(color, tokenColors.ink),
}

/** Which of the colors would make text unreadable, each with the nearest color that does not. */
export function storeColorFaults(colors: StoreColors): StoreColorFault[] {
  return (['brand', 'accent'] as const).flatMap((color) => {
    const ratio = ratioOf[color](colors[color])
    return ratio >= leastContrast ? [] : [{ color, ratio, nearest: nearestReadable(colors[color], ratioOf[color]) }]
  })
}

/** What is wrong with a color, in words, with the one that can be used instead. */
export function storeColorFaultText({ color, ratio, nearest }: StoreColorFault): string {
  // Rounded down, so that a color just below the limit is not said to meet it.
  const shown = (Math.floor(ratio * 10) / 10).toFixed(1)
  const what = color === 'brand' ? 'Neither black nor white text' : 'Dark text'
  return `${what} can be read on this color. ${shown} to 1, and ${leastContrast} are needed. The nearest that works is ${nearest}.`
}

/** Steps from a color to black and to white; on one of them the text is readable, as it is at the ends. */
const steps = 200

function nearestReadable(color: string, ratio: (color: string) => number): string {
  for (let step = 1; step <= steps; step += 1)
    for (const end of [tokenColors.chalk, '#000000']) {
      const mixed = mix(color, end, step / steps)
      if (ratio(mixed) >= leastContrast) return mixed
    }
  return tokenColors.chalk
}

/** A color on the way from one to another; `share` is 0 at the first. */
function mix(from: string, to: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [from, to].map((color) => Number.parseInt(color.slice(at, at + 2), 16))
    const part = Math.round((a ?? 0) + ((b ?? 0) - (a ?? 0)) * share)
    return part.toString(16).padStart(2, '0')
  })
  return `#${parts.join('')}`
}
