/** Finds the VIN on a door label, registration, or dashboard in a photo. Safe in the browser, where the photo stays. */
import {
  evenedOut,
  type GrayPicture,
  type LookOptions,
  type ReadLine,
} from '#domain/catalog/sidewall-reading/sidewall-reading.ts'
import { isVinChecked, readVin } from './vin.ts'

/** The characters of a VIN and of the words near it. VINs have no O, I, or Q, so these become digits. */
export const vinLetters = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ '

/**
 * Returns the VIN in a photo, with a correct check digit, or undefined. Reads the photo unchanged, then with even light.
 */
export async function readVinPhoto(
  photo: GrayPicture,
  { read, goesOn }: Pick<LookOptions, 'read' | 'goesOn'>,
): Promise<string | undefined> {
  const views = [() => photo, () => evenedOut(photo, evenReach(photo), grain)]
  for (const [index, view] of views.entries()) {
    const lines = await read(view())
    if (!goesOn((index + 1) / views.length)) return undefined
    const vin = vinIn(lines)
    if (vin !== undefined) return vin
  }
  return undefined
}

const grain = 20
const [mostLines, longestLine, mostParts] = [300, 200, 6]

/** Shadows are larger than this, letters are smaller. In pixels. */
function evenReach({ width, height }: GrayPicture): number {
  return Math.max(8, Math.round(Math.min(width, height) / 12))
}

/** Returns the first VIN in lines of text, in which OCR may have separated or misread characters. */
export function vinIn(lines: readonly ReadLine[]): string | undefined {
  for (const { text } of lines.slice(0, mostLines)) {
    const parts = text
      .slice(0, longestLine)
      .toUpperCase()
      .split(/[^A-Z0-9]+/)
      .filter((part) => part !== '')
    for (const index of parts.keys())
      for (let count = 1; count <= mostParts; count += 1) {
        const vin = vinOf(parts.slice(index, index + count).join(''))
        if (vin !== undefined) return vin
      }
  }
  return undefined
}

/** Returns the VIN in a barcode. Imported vehicles have an I before it (SAE J1877), registrations also other data. */
export function vinInBarcode(text: string): string | undefined {
  return vinIn(
    text.split(/[\r\n]/).map((line) => ({ text: line.replace(/^I(?=[A-Z0-9]{17}$)/i, ''), confidence: 100 })),
  )
}

/** The last four characters of a passenger vehicle's VIN are digits (49 CFR 565.15), unlike most words'. */
function vinOf(text: string): string | undefined {
  const vin = text.length === 17 ? readVin(text.replaceAll(/[OQ]/g, '0').replaceAll('I', '1')) : undefined
  return vin !== undefined && /\d{4}$/.test(vin) && isVinChecked(vin) ? vin : undefined
}
