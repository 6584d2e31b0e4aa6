import { LETTER_GRAIN, lettersOnArc, repeatedLettersOnArcs, type FaceName, type Lettering } from './lettering.ts'
import { serviceText, type Detail, type TirePictureData } from './picture-data.ts'
import { isTall, type TireShape } from './projection.ts'
import { short } from './svg.ts'

/** The band for the lettering around the sidewall, `wall` mm from flange to shoulder. */
type Band = { readonly wall: number; readonly bandRadius: number; readonly idPrefix: string }

/**
 * Renders the sidewall's raised text. The brand is at the top, size and service description at the bottom, model on the
 * left, winter marks (or the construction) on the right, and small print around the rim. Also returns the angles in
 * degrees of the top, left, and right texts.
 */
export function drawSidewallLettering(
  shape: TireShape,
  data: TirePictureData,
  detail: Detail,
  band: Band,
): { svg: string; taken: { top: number; left: number; right: number } } {
  const { wall, bandRadius } = band
  const isBig = isTall(shape)
  const brandHeight = Math.min(wall * (isBig ? 0.3 : 0.4), 52)
  const height = Math.min(wall * (isBig ? 0.22 : 0.32), 36)
  const set = (text: string, face: FaceName, at: number, capHeightMm: number, maxDegrees: number, spacing = 0.05) =>
    lettersOnArc(text, { face, at, radiusMm: bandRadius, capHeightMm, maxDegrees, spacing, isUpright: at === 90 })

  const brand = set(data.brand.toUpperCase(), 'brand', -90, brandHeight, 112)
  const raised: Raised[] = [{ letters: brand, color: '#8e949e', isOutlined: data.outlinedWhiteLetters }]
  if (detail === 0)
    return {
      svg: raised.map((text) => raise(text, '', detail)).join(''),
      taken: { top: brand.degrees, left: 0, right: 0 },
    }

  const size = set(`${data.size.designation.toUpperCase()} ${serviceText(data)}`.trim(), 'size', 90, height, 96, 0.04)
  const line = set(data.line.toUpperCase(), 'line', 180, height * 0.86, Math.min(60, 160 - brand.degrees))
  raised.push({ letters: size, color: '#a3a8b1' }, { letters: line, color: '#9a9fa9' })
  if (data.mPlusS)
    raised.push({ letters: set('M+S', 'line', data.threePeak ? 9 : 0, height * 0.76, 30), color: '#a3a8b1' })
  else if (!data.threePeak && isRadial(data))
    raised.push({ letters: set('RADIAL', 'line', 0, height * 0.62, 34), color: '#8e949e' })
  return {
    svg:
      raised.map((text, i) => raise(text, `${band.idPrefix}${i}`, detail)).join('') +
      (data.threePeak ? peakMark(bandRadius, data.mPlusS ? -9 : 0, height / 17, `${band.idPrefix}p`) : '') +
      (detail > 1 ? smallPrint(shape, data, band) : ''),
    taken: { top: brand.degrees, left: line.degrees, right: 36 },
  }
}

/** Sizes name their construction: "225/65R17" is radial, "8-14.5" is not. */
function isRadial(data: TirePictureData): boolean {
  return data.size.designation.toUpperCase().includes('R')
}

type Raised = { readonly letters: Lettering; readonly color: string; readonly isOutlined?: boolean }

/** Renders raised letters with the face on top. They are dark at the lower right and light at the upper left. */
function raise({ letters, color, isOutlined }: Raised, id: string, detail: Detail): string {
  if (letters.path === '') return ''
  if (detail === 0)
    return `<path transform="scale(${LETTER_GRAIN})" d="${letters.path}" fill="${isOutlined ? '#f4f1ea' : color}"/>`
  const edge = Math.max(0.9, letters.em * 0.035)
  const copy = (attributes: string) => `<use href="#${id}" ${attributes}/>`
  return (
    `<defs><path id="${id}" transform="scale(${LETTER_GRAIN})" d="${letters.path}"/></defs>` +
    copy(`x="${short(edge)}" y="${short(edge * 1.25)}" fill="#060708" fill-opacity=".85"`) +
    copy(`x="${short(-edge * 0.7)}" y="${short(-edge * 0.9)}" fill="#dfe2e7" fill-opacity=".8"`) +
    (isOutlined
      ? copy(
          `fill="none" stroke="#f4f1ea" stroke-width="${short((letters.em * 0.055) / LETTER_GRAIN)}" stroke-linejoin="round"`,
        ) + copy('fill="#2a2d32"')
      : copy(`fill="${color}"`))
  )
}

/** The three-peak mountain snowflake at `at` degrees of the band, in two copies as the letters are. */
export function peakMark(radius: number, at: number, scale: number, id: string): string {
  const turn = (at * Math.PI) / 180
  const [x, y] = [radius * Math.cos(turn), radius * Math.sin(turn)]
  const copy = (dx: number, dy: number, color: string) =>
    `<use href="#${id}" transform="translate(${short(x + dx)} ${short(y + dy)})rotate(${at + 90})scale(${scale.toFixed(2)})" stroke="${color}"/>`
  return (
    `<defs><g id="${id}" fill="none" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"><path d="M-10 8L-6.2-1.5-4.6.6 0-9 4.6.6 6.2-1.5 10 8Z"/>` +
    '<path stroke-width="1.1" d="M0-3.6V6.4M-4.3-1.1 4.3 3.9M4.3-1.1-4.3 3.9M-1.2-2.6 0-1.6 1.2-2.6M-1.2 5.4 0 4.4 1.2 5.4"/></g></defs>' +
    copy(1, 1.4, '#060708') +
    copy(0, 0, '#b4b9c1')
  )
}

/** Prints only known data and leaves the rest of the ring empty. */
function smallPrint(shape: TireShape, data: TirePictureData, { wall, idPrefix }: Band): string {
  const above = [loadRangeText(data.loadRange), isRadial(data) ? 'RADIAL' : '']
  const below = [
    data.maxLoadKg === undefined ? '' : `MAX LOAD ${data.maxLoadKg} KG (${Math.round(data.maxLoadKg * 2.20462)} LBS)`,
    data.maxPressureKpa === undefined
      ? ''
      : `MAX PRESS ${data.maxPressureKpa} KPA (${Math.round(data.maxPressureKpa * 0.145038)} PSI)`,
  ]
  const radiusMm = shape.flangeRadius + wall * 0.165
  const print = { face: 'line', radiusMm, capHeightMm: Math.min(wall * 0.045, 8) } as const
  const letters = repeatedLettersOnArcs(
    [
      { text: above.filter(Boolean).join(' · '), arc: { ...print, at: -90, spacing: 0.14, maxDegrees: 150 } },
      {
        text: below.filter(Boolean).join(' · '),
        arc: { ...print, at: 90, spacing: 0.1, maxDegrees: 170, isUpright: true },
      },
    ],
    `${idPrefix}s`,
  )
  return `<g fill="#8b909a" fill-opacity=".8">${letters}</g>`
}

function loadRangeText(range: string | undefined): string {
  if (!range) return ''
  if (range.toUpperCase() === 'SL') return 'STANDARD LOAD'
  return range.toUpperCase() === 'XL' ? 'EXTRA LOAD' : `LOAD RANGE ${range.toUpperCase()}`
}
