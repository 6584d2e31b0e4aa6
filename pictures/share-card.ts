/**
 * The preview image for a shared link, with the tire next to its name, in pixels. Letters are paths, as on the tire.
 */
import { drawTire } from './drawing.ts'
import { LETTER_GRAIN, lettersFromLeft, type FaceName } from './lettering.ts'
import { serviceText, type TirePictureData } from './picture-data.ts'
import { attribute } from './svg.ts'

/** The size that social networks don't crop. */
export const [SHARE_WIDTH_PX, SHARE_HEIGHT_PX] = [1200, 630]

/** Returns an item's preview image. Throws a RangeError for a size that isn't drawable. */
export function drawShareCard(data: TirePictureData, store: string): string {
  return card(data, store, data.line, [
    text(data.brand.toUpperCase(), 'brand', 132, 34, ASPHALT),
    text(data.line.toUpperCase(), 'brand', 232, 84, INK),
    text(data.size.designation, 'size', 344, 64, INK),
    text(serviceText(data), 'size', 424, 44, ASPHALT),
  ])
}

/** The card of every page that is not about one article. */
export function drawStoreCard(store: string): string {
  return card({ ...commonTire, brand: store }, '', store, [
    text(store.toUpperCase(), 'brand', 210, 92, INK),
    text('TIRES, INSTALLED', 'brand', 320, 46, ASPHALT),
    text('NEAR YOU', 'brand', 384, 46, ASPHALT),
  ])
}

const [INK, ASPHALT, PAPER, RUBBER, SIGNAL, ON_DARK] = [
  '#14161a',
  '#5b616e',
  '#faf8f4',
  '#23262d',
  '#ffb400',
  '#f4f1ea',
]
const LEFT = 72
const TEXT_LENGTH = 560
const ROAD_TOP = 530

/** Only its size is known, one of the most common in the US. */
const commonTire: TirePictureData = {
  brand: '',
  line: '',
  size: { designation: '225/65R17', sectionWidthMm: 225, overallDiameterMm: 724.3, rimIn: 17 },
  loadIndex: '',
  speed: '',
  kind: 'all-season',
  mPlusS: false,
  threePeak: false,
  outlinedWhiteLetters: false,
}

/** The tire is on the road, as in all our drawings. */
function card(tire: TirePictureData, store: string, name: string, texts: string[]): string {
  const drawing = drawTire(tire, { frame: 'tight', shadow: false }).replace(
    '<svg ',
    '<svg x="640" y="17" width="520" height="520" ',
  )
  const dashes = Array.from(
    { length: 9 },
    (_, index) => `<rect x="${index * 140 + 20}" y="562" width="84" height="8" fill="${SIGNAL}"/>`,
  ).join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SHARE_WIDTH_PX} ${SHARE_HEIGHT_PX}" width="${SHARE_WIDTH_PX}" height="${SHARE_HEIGHT_PX}" role="img" aria-label="${attribute(name)}">` +
    `<rect width="${SHARE_WIDTH_PX}" height="${SHARE_HEIGHT_PX}" fill="${PAPER}"/><rect y="${ROAD_TOP}" width="${SHARE_WIDTH_PX}" height="${SHARE_HEIGHT_PX - ROAD_TOP}" fill="${RUBBER}"/>` +
    `${dashes}${text(store.toUpperCase(), 'brand', 610, 26, ON_DARK)}${drawing}${texts.join('')}</svg>`
  )
}

function text(words: string, face: FaceName, y: number, em: number, color: string): string {
  const path = lettersFromLeft(words, { face, x: LEFT, y, em, maxLength: TEXT_LENGTH })
  return path === '' ? '' : `<path transform="scale(${LETTER_GRAIN})" fill="${color}" d="${path}"/>`
}
