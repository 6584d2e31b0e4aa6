/** Store settings for owners, with names, appearance, and staff limits. */
import { maxPayHoldHours } from './pay-hold.ts'
import type { SettingsInput } from './settings-form.ts'
import { contrastOf, leastContrast } from '#platform/contrast.ts'

export { maxPayHoldHours } from './pay-hold.ts'
export * from './business-terms.ts'
export * from './derived-terms.ts'
export {
  shippingAmounts,
  shippingTerm,
  shippingZones,
  type ShippingAmount,
  type ShippingZone,
} from './shipping-terms.ts'
export {
  exceptionRateText,
  tiresText,
  whereText,
  withException,
  withZone,
  zoneKey,
  zonePlaces,
  type PlanEditRefusal,
} from './shipping-plan.ts'
export { exceptionForm, removeRuleForm, zoneForm, type ExceptionInput, type ZoneInput } from './shipping-plan-form.ts'
export { cancelTermForm, readInstant, startsField, termsForm } from './business-terms-form.ts'
export { hoursForm, settingsForm, type HoursInput, type SettingsInput } from './settings-form.ts'

/** Each setting with its label. `address` is the postal one below commercial emails. */
export const settingLabels = {
  name: 'Store name',
  logo: 'Logo',
  'accent-color': 'Accent color',
  'dark-color': 'Dark color',
  phone: 'Phone',
  email: 'Email',
  'return-address': 'Return address',
  'refund-alone-cents': 'Refunds and credits per order or customer without a second person',
  'daily-alone-cents': 'Concessions per person and day without a second person',
  'discount-alone-ppm': 'Maximum discount without a second person',
  'quote-margin-floor-ppm': 'Minimum margin without a second person',
  'no-show-pay-cents': 'No-show payout',
  'pay-hold-hours': 'Hours until a job’s pay is due',
  'pay-dispute-days': 'Days in which a shop can dispute its pay',
  'pay-alone-cents': 'Pay adjustments per shop and week without a second person',
  'below-map': 'Prices below the minimum advertised price',
  'phone-zone': 'Time zone of the phone hours',
  'phone-week': 'Phone hours',
  'phone-holidays': 'Phone holidays',
} as const

/** The limits of what staff and programs may give without a second person, with their fields in the form. */
export const limitFields = {
  'refund-alone-cents': 'refundAlone',
  'daily-alone-cents': 'dailyAlone',
  'discount-alone-ppm': 'discountAlone',
  'quote-margin-floor-ppm': 'quoteMarginFloor',
  'pay-alone-cents': 'payAlone',
} as const satisfies Partial<Record<SettingName, keyof SettingsInput>>
export type LimitName = keyof typeof limitFields

/**
 * A price below a tire's minimum advertised price (MAP) is refused for this tire only, and promotions leave it out; or it
 * is saved, and pages say "See price in cart".
 */
export const belowMapRules = {
  refuse: 'Refuse them',
  'price-in-cart': 'Allow, and show “See price in cart”',
} as const
export type BelowMapRule = keyof typeof belowMapRules

export type SettingName = keyof typeof settingLabels

export type StoreSettings = {
  name: string
  /** The hash of the logo's bytes; null for the name in letters. */
  logo: string | null
  /** The color of the main buttons, behind dark text; null for the style sheet's. */
  'accent-color': string | null
  /** The color of text and of the header; null for the style sheet's. */
  'dark-color': string | null
  phone: string
  email: string
  'return-address': string
  /** The maximum refund per order without approval in cents, including price matches, claims and waivers. */
  'refund-alone-cents': number
  /** The maximum concessions per person in 24 hours without approval in cents, across all kinds. */
  'daily-alone-cents': number
  /** The maximum retail discount one person can schedule without approval, in parts per million. */
  'discount-alone-ppm': number
  /** Prices below this margin need a manager, in parts per million of the price: quotes, coupons, promotions, price lists. */
  'quote-margin-floor-ppm': number
  /** What a shop gets for a customer who did not come. */
  'no-show-pay-cents': number
  /** So many hours after a job its pay is due. */
  'pay-hold-hours': number
  /** So many days after a job or an adjustment its shop can dispute it. */
  'pay-dispute-days': number
  /** The maximum payout adjustments per shop in seven days by one person without approval, in cents. */
  'pay-alone-cents': number
  /** What happens to prices below a minimum advertised price. */
  'below-map': BelowMapRule
  /** The zone of the phone hours, such as America/Chicago. */
  'phone-zone': string
  /** As `weekLine` writes it. */
  'phone-week': string
  /** In the format of `holidayLines`; empty without holidays. */
  'phone-holidays': string
}

/** The limits that a retailer sets for the people in the office. */
export type OfficeLimits = {
  refundAloneCents: number
  dailyAloneCents: number
  discountAlonePpm: number
  quoteMarginFloorPpm: number
}

/** Installer payout settings for owners. */
export type PayTerms = { noShowCents: number; holdHours: number; disputeDays: number; aloneCents: number }

/** What applies until an owner sets something else. */
export const payTermDefaults: PayTerms = {
  noShowCents: 1_500,
  holdHours: maxPayHoldHours,
  disputeDays: 7,
  aloneCents: 10_000,
}

/** What applies until an owner sets something else. */
export const officeLimitDefaults: OfficeLimits = {
  refundAloneCents: 75_000,
  dailyAloneCents: 500_000,
  discountAlonePpm: 300_000,
  quoteMarginFloorPpm: 100_000,
}

/** Style sheet colors next to which the owner's colors appear (app/ui/styles/tokens.css; a test compares them). */
export const tokenColors = {
  ink: '#14161a',
  signal: '#ffb400',
  paper: '#faf8f4',
  chalk: '#ffffff',
  'signal-tint': '#fff3d1',
  'on-dark': '#f4f1ea',
  'on-dark-2': '#b9bdc6',
} as const

export type ColorFault = { color: 'accent-color' | 'dark-color'; against: string; ratio: number }

/**
 * The pairs of text and ground that two colors would make unreadable, below 4.5 to 1. The accent is behind dark text;
 * the dark color is text on the page's grounds, and the ground of the header's text. Null is the style sheet's color.
 */
export function colorFaults({ accent, dark }: { accent: string | null; dark: string | null }): ColorFault[] {
  const ink = dark ?? tokenColors.ink
  const pairs: [ColorFault['color'], string, string, string][] = [
    ['dark-color', ink, tokenColors.paper, 'the page'],
    ['dark-color', ink, tokenColors.chalk, 'white'],
    ['dark-color', ink, tokenColors['signal-tint'], 'notices'],
    ['dark-color', ink, tokenColors['on-dark'], 'the text of the header'],
    ['dark-color', ink, tokenColors['on-dark-2'], 'the quiet text of the header'],
    ['accent-color', accent ?? tokenColors.signal, ink, 'the dark text on it'],
  ]
  return pairs
    .map(([color, one, other, against]) => ({ color, against, ratio: contrastOf(one, other) }))
    .filter(({ ratio }) => ratio < leastContrast)
}

/** What is wrong with a color, in words: "2.1 to 1 against white; at least 4.5 to 1 can be read." */
export function colorFaultText({ against, ratio }: ColorFault): string {
  // Rounded down, so that a color just below the limit is not said to meet it.
  const shown = (Math.floor(ratio * 10) / 10).toFixed(1)
  return `This color is ${shown} to 1 against ${against}. Text can be read from ${leastContrast} to 1.`
}
