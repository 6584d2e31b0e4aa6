/**
 * A signature drawn on the work order, with strokes in a small field, stored as points instead of a file. Safe in the
 * browser.
 */

export const signatureSize = { width: 300, height: 100 } as const
/** In characters. */
export const longestSignature = 4_000
/** Fewer points are a slip of the finger. */
const fewestPoints = 8

/**
 * Parses drawn strokes, with points "x,y" separated by spaces, and strokes by semicolons. Null without strokes,
 * undefined for an invalid format.
 */
export function readSignature(typed: string): string | null | undefined {
  if (typed === '') return null
  if (typed.length > longestSignature) return undefined
  const points = typed.split(/[ ;]/)
  const areInside = points.every((point) => {
    const [x = '', y = '', ...more] = point.split(',')
    return isWithin(x, signatureSize.width) && isWithin(y, signatureSize.height) && more.length === 0
  })
  return areInside && points.length >= fewestPoints ? typed : undefined
}

function isWithin(text: string, most: number): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= most
}

/** The strokes as the path of a drawing. */
export function signaturePath(strokes: string): string {
  return strokes
    .split(';')
    .map((stroke) => `M${stroke.split(' ').join('L').replaceAll(',', ' ')}`)
    .join('')
}
