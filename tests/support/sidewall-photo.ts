/** Simulated phone photos of sidewalls, based on the store's drawings. All are different and reproducible. */
import sharp from 'sharp'
import { grayOf, type GrayPicture } from '#domain/catalog/sidewall-reading/sidewall-reading.ts'
import { drawTire, type TireKind, type TirePictureData } from '#pictures/pictures.ts'

export type SidewallShot = {
  readonly name: string
  readonly designation: string
  readonly tire: TirePictureData
  /** How far the tire has rolled, in degrees. */
  readonly rolled: number
  /** The whole wheel, or a close-up in which the size fills the photo. */
  readonly distance: 'wheel' | 'near'
  /** Photo width in pixels. */
  readonly width: number
  readonly height: number
  readonly blur: number
  /** Amplitude of the pixel noise. */
  readonly noise: number
  /** How much darker the far side is, 0 to 1. */
  readonly shade: number
  /** Angle off straight-on, in degrees. */
  readonly yaw: number
}

const sizes: readonly [designation: string, widthMm: number, aspect: number, rimIn: number, kind: TireKind][] = [
  ['225/65R17', 225, 65, 17, 'all-season'],
  ['205/55R16', 205, 55, 16, 'summer'],
  ['235/45R18', 235, 45, 18, 'all-season'],
  ['265/70R17', 265, 70, 17, 'highway'],
  ['LT275/70R18', 275, 70, 18, 'all-terrain'],
  ['215/60R16', 215, 60, 16, 'winter'],
  ['195/65R15', 195, 65, 15, 'all-season'],
  ['245/40R19', 245, 40, 19, 'summer'],
  ['275/55R20', 275, 55, 20, 'highway'],
  ['ST205/75R15', 205, 75, 15, 'trailer'],
]

/**
 * Returns the first `count` photos in a series with alternating sizes, whole wheels, and close-ups. Each is slightly
 * worse than the one ten before.
 */
export function sidewallShots(count: number): SidewallShot[] {
  return Array.from({ length: count }, (_, index) => {
    const [designation, widthMm, aspect, rimIn, kind] = sizes[index % sizes.length]!
    const round = Math.floor(index / sizes.length)
    const distance = (index + round) % 2 === 0 ? 'wheel' : 'near'
    // For a close-up, people hold the phone so that the letters are upright.
    const rolled = (distance === 'near' ? [0, 6, -10, 4, -3] : [0, 12, -20, 180, 35, -8, 90, 5, -150, 25]).at(
      (index * 3 + round) % (distance === 'near' ? 5 : 10),
    )!
    return {
      name: `${designation} ${distance} rolled ${rolled} round ${round}`,
      designation,
      tire: {
        brand: ['Kestrel', 'Tarn', 'Northpass', 'Alder & Stone'][index % 4]!,
        line: ['Alltide AS2', 'Fellgrip W3', 'Meridian HT', 'Vantage RS'][index % 4]!,
        size: {
          designation,
          sectionWidthMm: widthMm,
          rimIn,
          overallDiameterMm: rimIn * 25.4 + (2 * widthMm * aspect) / 100,
        },
        loadIndex: String(91 + ((index * 7) % 25)),
        speed: ['H', 'T', 'V', 'S', 'W'][index % 5]!,
        kind,
        mPlusS: index % 3 === 0,
        threePeak: kind === 'winter',
        outlinedWhiteLetters: index % 7 === 0,
        loadRange: 'SL',
        maxLoadKg: 690,
        maxPressureKpa: 350,
      },
      rolled,
      distance,
      width: distance === 'wheel' ? 1400 : 1280,
      height: distance === 'wheel' ? 1400 : 720,
      blur: 0.5 + round * 0.4,
      noise: 4 + round * 5,
      shade: 0.2 + round * 0.15,
      yaw: round === 3 ? 6 : round * 1.5,
    }
  })
}

/** The photo in grayscale. */
export async function photographSidewall(shot: SidewallShot): Promise<GrayPicture> {
  const { data, info } = await takePhoto(shot)
  return grayOf(new Uint8ClampedArray(data), info.width, info.height)
}

/** The photo with four bytes per pixel. */
export async function takePhoto(
  shot: SidewallShot,
): Promise<{ data: Buffer; info: { width: number; height: number } }> {
  const { width, height } = shot
  const tire = drawTire(shot.tire, { yaw: shot.yaw, detail: 2, frame: 'square', shadow: false })
  const across = shot.distance === 'wheel' ? Math.round(Math.min(width, height) * 0.94) : Math.round(width * 1.5)
  const drawn = await sharp(Buffer.from(tire), { density: 96 })
    .resize(across, across)
    .rotate(shot.rolled, { background: '#8b8f94' })
    .flatten({ background: '#8b8f94' })
    .toBuffer()
  const { width: turned } = await sharp(drawn).metadata()
  // For a close-up, the camera is aimed at the size.
  const at = ((90 + shot.rolled) * Math.PI) / 180
  const middle = (turn: number, half: number) =>
    turned / 2 + (shot.distance === 'near' ? turn * across * 0.36 : 0) - half
  const canvas = await sharp({
    create: { width: turned + 2 * width, height: turned + 2 * height, channels: 3, background: '#8b8f94' },
  })
    .composite([{ input: drawn, left: width, top: height }])
    .png()
    .toBuffer()
  const seen = sharp(canvas)
    .extract({
      left: Math.round(width + middle(Math.cos(at), width / 2)),
      top: Math.round(height + middle(Math.sin(at), height / 2)),
      width,
      height,
    })
    .blur(Math.max(0.3, shot.blur))
  const { data, info } = await seen.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data: spoil(data, info.width, shot), info }
}

/** Adds uneven light and noise, reproducibly. */
function spoil(data: Buffer, width: number, { noise, shade }: SidewallShot): Buffer {
  let seed = 7
  for (let i = 0; i < data.length; i += 4) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    const light = 1 - (shade * ((i / 4) % width)) / width
    const stray = ((seed >>> 8) / 0x1000000 - 0.5) * 2 * noise
    for (let channel = 0; channel < 3; channel++)
      data[i + channel] = Math.min(255, Math.max(0, data[i + channel]! * light + stray))
  }
  return data
}
