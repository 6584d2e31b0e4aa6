/**
 * What the numbers and letters after a tire size mean. The values are the common ones of ISO 4000, ETRTO and TRA. Every
 * lookup returns `undefined` outside its table, because an unknown rating is missing, not zero.
 */

/** A speed symbol with a stated limit. "ZR" is not one: it only means "more than 149 mph" (see `MarkedSpeed`). */
export type SpeedSymbol = keyof typeof speeds
/** The speed marking on a tire. It is a symbol, or a bare ZR without one. */
export type MarkedSpeed = SpeedSymbol | 'ZR'
/** Passenger load classes in ascending order (standard, extra load, high load). */
export type LoadClass = 'SL' | 'XL' | 'HL'
/** Light-truck, trailer and commercial load ranges in rising order. */
export type LoadRange = keyof typeof ranges

/** `over`: the rating starts above the value, as (Y) does above 186 mph. */
export type Speed = { readonly kmh: number; readonly mph: number; readonly over?: true }
export type Load = { readonly kg: number; readonly lb: number }
export type Range = { readonly plyRating: number; readonly maxPsi: number | undefined }

/** Load index 0 to 160 → what one tire carries at its full pressure. */
export function loadOf(index: number | undefined): Load | undefined {
  return index === undefined ? undefined : loads[index]
}

/** Speed symbol → its limit. Undefined for a bare ZR and for letters that are not ratings. */
export function speedOf(symbol: string | undefined): Speed | undefined {
  return symbol !== undefined && isSpeedSymbol(symbol) ? speeds[symbol] : undefined
}

export function isSpeedSymbol(symbol: string): symbol is SpeedSymbol {
  return Object.hasOwn(speeds, symbol)
}

export function isLoadRange(letter: string): letter is LoadRange {
  return Object.hasOwn(ranges, letter)
}

/** Load range letter → ply rating and the usual maximum pressure on a light truck in psi (not stated above H). */
export function rangeOf(letter: LoadRange): Range {
  return ranges[letter]
}

/**
 * Whether `speed` is at least `needed`. Compares km/h, never letters, since U (124 mph) is below H (130 mph). (Y) is
 * above Y.
 */
export function isAsFast(speed: Speed, needed: Speed): boolean {
  return speed.kmh === needed.kmh ? speed.over === true || needed.over === undefined : speed.kmh > needed.kmh
}

/** Positive if `a` is the higher load class, negative if lower, 0 if equal. */
export function compareLoadClass(a: LoadClass, b: LoadClass): number {
  return classes.indexOf(a) - classes.indexOf(b)
}

/** Positive if `a` is the higher load range, negative if lower, 0 if equal. Ranges rise alphabetically. */
export function compareLoadRange(a: LoadRange, b: LoadRange): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** 102 → "102: carries 1,874 lb". Undefined outside 0 to 160. */
export function describeLoadIndex(index: number): string | undefined {
  const load = loadOf(index)
  return load && `${index}: carries ${grouped(load.lb)} lb`
}

/** "H" → "H: up to 130 mph"; "(Y)" → "(Y): above 186 mph"; "ZR" → "ZR: above 149 mph". Undefined for anything else. */
export function describeSpeed(symbol: string): string | undefined {
  if (symbol === 'ZR') return 'ZR: above 149 mph'
  const speed = speedOf(symbol)
  return speed && `${symbol}: ${speed.over ? 'above' : 'up to'} ${speed.mph} mph`
}

/** "E" → "E: 10 ply rating, up to 80 psi". */
export function describeLoadRange(letter: LoadRange): string {
  const { plyRating, maxPsi } = ranges[letter]
  return `${letter}: ${plyRating} ply rating${maxPsi === undefined ? '' : `, up to ${maxPsi} psi`}`
}

/**
 * 12345 → "12,345". Whole numbers up to 999,999. A listing formats thousands of these, and `toLocaleString` is slow.
 */
export function grouped(value: number): string {
  const digits = String(value)
  return digits.length <= 3 ? digits : `${digits.slice(0, -3)},${digits.slice(-3)}`
}

const speeds = {
  B: { kmh: 50, mph: 31 },
  C: { kmh: 60, mph: 37 },
  D: { kmh: 65, mph: 40 },
  E: { kmh: 70, mph: 43 },
  F: { kmh: 80, mph: 50 },
  G: { kmh: 90, mph: 56 },
  J: { kmh: 100, mph: 62 },
  K: { kmh: 110, mph: 68 },
  L: { kmh: 120, mph: 75 },
  M: { kmh: 130, mph: 81 },
  N: { kmh: 140, mph: 87 },
  P: { kmh: 150, mph: 93 },
  Q: { kmh: 160, mph: 99 },
  R: { kmh: 170, mph: 106 },
  S: { kmh: 180, mph: 112 },
  T: { kmh: 190, mph: 118 },
  U: { kmh: 200, mph: 124 },
  H: { kmh: 210, mph: 130 },
  V: { kmh: 240, mph: 149 },
  W: { kmh: 270, mph: 168 },
  Y: { kmh: 300, mph: 186 },
  '(Y)': { kmh: 300, mph: 186, over: true },
} as const satisfies Record<string, Speed>

const classes: readonly LoadClass[] = ['SL', 'XL', 'HL']

const ranges = {
  B: { plyRating: 4, maxPsi: 35 },
  C: { plyRating: 6, maxPsi: 50 },
  D: { plyRating: 8, maxPsi: 65 },
  E: { plyRating: 10, maxPsi: 80 },
  F: { plyRating: 12, maxPsi: 95 },
  G: { plyRating: 14, maxPsi: 110 },
  H: { plyRating: 16, maxPsi: 120 },
  J: { plyRating: 18, maxPsi: undefined },
  L: { plyRating: 20, maxPsi: undefined },
} as const satisfies Record<string, Range>

/** By load index. The standards print both columns; neither is calculated from the other. */
// oxfmt-ignore
const kilograms: readonly number[] = [
  45, 46.2, 47.5, 48.7, 50, 51.5, 53, 54.5, 56, 58, 60, 61.5, 63, 65, 67, 69, 71, 73, 75, 77.5,
  80, 82.5, 85, 87.5, 90, 92.5, 95, 97.5, 100, 103, 106, 109, 112, 115, 118, 121, 125, 128, 132, 136,
  140, 145, 150, 155, 160, 165, 170, 175, 180, 185, 190, 195, 200, 206, 212, 218, 224, 230, 236, 243,
  250, 257, 265, 272, 280, 290, 300, 307, 315, 325, 335, 345, 355, 365, 375, 387, 400, 412, 425, 437,
  450, 462, 475, 487, 500, 515, 530, 545, 560, 580, 600, 615, 630, 650, 670, 690, 710, 730, 750, 775,
  800, 825, 850, 875, 900, 925, 950, 975, 1000, 1030, 1060, 1090, 1120, 1150, 1180, 1215, 1250, 1285, 1320, 1360,
  1400, 1450, 1500, 1550, 1600, 1650, 1700, 1750, 1800, 1850, 1900, 1950, 2000, 2060, 2120, 2180, 2240, 2300, 2360, 2430,
  2500, 2575, 2650, 2725, 2800, 2900, 3000, 3075, 3150, 3250, 3350, 3450, 3550, 3650, 3750, 3875, 4000, 4125, 4250, 4375,
  4500,
]

// oxfmt-ignore
const pounds: readonly number[] = [
  99, 102, 105, 107, 110, 114, 117, 120, 123, 128, 132, 136, 139, 143, 148, 152, 157, 161, 165, 171,
  176, 182, 187, 193, 198, 204, 209, 215, 220, 227, 234, 240, 247, 254, 260, 267, 276, 282, 291, 300,
  309, 320, 331, 342, 353, 364, 375, 386, 397, 408, 419, 430, 441, 454, 467, 481, 494, 507, 520, 536,
  551, 567, 584, 600, 617, 639, 661, 677, 694, 717, 739, 761, 783, 805, 827, 853, 882, 908, 937, 963,
  992, 1019, 1047, 1074, 1102, 1135, 1168, 1201, 1235, 1279, 1323, 1356, 1389, 1433, 1477, 1521, 1565, 1609, 1653, 1709,
  1764, 1819, 1874, 1929, 1984, 2039, 2094, 2149, 2205, 2271, 2337, 2403, 2469, 2535, 2601, 2679, 2756, 2833, 2910, 2998,
  3086, 3197, 3307, 3417, 3527, 3638, 3748, 3858, 3968, 4079, 4189, 4299, 4409, 4542, 4674, 4806, 4938, 5071, 5203, 5357,
  5512, 5677, 5842, 6008, 6173, 6393, 6614, 6779, 6945, 7165, 7385, 7606, 7826, 8047, 8267, 8543, 8818, 9094, 9370, 9645,
  9921,
]

const loads: readonly Load[] = kilograms.map((kg, index) => ({ kg, lb: pounds[index] ?? Number.NaN }))
