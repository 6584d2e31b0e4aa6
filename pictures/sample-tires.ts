import type { TireKind, TirePictureData } from './pictures.ts'

/**
 * Sample tires for this folder's tests. There is one of each kind, with the longest text and the most small print that
 * a catalog is likely to have.
 */
export const sampleTires: Record<TireKind, TirePictureData> = {
  'all-season': tire('all-season', 'Kestrel', 'Alltide AS2', metric(225, 65, 17), {
    loadIndex: '102',
    speed: 'H',
    mPlusS: true,
  }),
  summer: tire('summer', 'Alder & Stone', 'Vantage RS', metric(295, 30, 20), {
    loadIndex: '101',
    speed: '(Y)',
    loadRange: 'XL',
  }),
  winter: tire('winter', 'Tarn', 'Fellgrip W3', metric(225, 65, 17), {
    loadIndex: '102',
    speed: 'T',
    mPlusS: true,
    threePeak: true,
  }),
  'all-weather': tire('all-weather', 'Tarn', 'Fellgrip AW', metric(225, 65, 17), { mPlusS: true, threePeak: true }),
  'all-terrain': tire('all-terrain', 'Northpass', 'Scree AT', flotation(35, 12.5, 17), {
    loadIndex: '121',
    speed: 'R',
    outlinedWhiteLetters: true,
    threePeak: true,
  }),
  'mud-terrain': tire('mud-terrain', 'Northpass', 'Gorge MT', flotation(35, 12.5, 17), {
    loadIndex: '121',
    speed: 'Q',
    outlinedWhiteLetters: true,
    mPlusS: true,
  }),
  highway: tire('highway', 'Northpass', 'Meridian HT', metric(265, 70, 17), {
    loadIndex: '115',
    speed: 'T',
    mPlusS: true,
  }),
  trailer: tire('trailer', 'Beckett', 'Haul ST', metric(205, 75, 15, 'ST'), {
    loadIndex: '107/102',
    speed: 'M',
    loadRange: 'D',
  }),
  commercial: tire('commercial', 'Corvane', 'Freight CV', metric(245, 75, 17, 'LT'), {
    loadIndex: '121/118',
    speed: 'S',
    loadRange: 'E',
    mPlusS: true,
  }),
}

export function metric(widthMm: number, aspect: number, rimIn: number, prefix = ''): TirePictureData['size'] {
  return {
    designation: `${prefix}${widthMm}/${aspect}R${rimIn}`,
    sectionWidthMm: widthMm,
    rimIn,
    overallDiameterMm: rimIn * 25.4 + (2 * widthMm * aspect) / 100,
  }
}

export function flotation(heightIn: number, widthIn: number, rimIn: number): TirePictureData['size'] {
  return {
    designation: `${heightIn}X${widthIn.toFixed(2)}R${rimIn}LT`,
    sectionWidthMm: widthIn * 25.4,
    rimIn,
    overallDiameterMm: heightIn * 25.4,
  }
}

function tire(
  kind: TireKind,
  brand: string,
  line: string,
  size: TirePictureData['size'],
  more: Partial<TirePictureData>,
): TirePictureData {
  const plain = {
    loadIndex: '102',
    speed: 'H',
    mPlusS: false,
    threePeak: false,
    outlinedWhiteLetters: false,
    loadRange: 'SL',
    maxLoadKg: 1450,
    maxPressureKpa: 350,
  }
  return { ...plain, kind, brand, line, size, ...more }
}
