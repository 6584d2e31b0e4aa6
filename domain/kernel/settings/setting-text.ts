/** The values of settings, as people read them. */
import { belowMapRules, type SettingName } from './settings.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import { phoneHoursText, readWeekLine } from '#platform/phone-hours.ts'

const texts: Partial<Record<SettingName, (value: string) => string>> = {
  logo: (value) => `Picture ${value.slice(0, 6)}`,
  // The time zone is a separate setting.
  'phone-week': (value) => phoneHoursText({ zone: '', week: readWeekLine(value), holidays: [] }) || 'Closed',
  'phone-holidays': (value) => value.replaceAll('\n', ', ') || 'None',
  'refund-alone-cents': (value) => formatCents(Number(value)),
  'daily-alone-cents': (value) => formatCents(Number(value)),
  'no-show-pay-cents': (value) => formatCents(Number(value)),
  'pay-alone-cents': (value) => formatCents(Number(value)),
  'discount-alone-ppm': (value) => formatRate(Number(value)),
  'quote-margin-floor-ppm': (value) => formatRate(Number(value)),
  'pay-hold-hours': (value) => countOf(Number(value), 'hour'),
  'pay-dispute-days': (value) => countOf(Number(value), 'day'),
  'below-map': (value) => Object.entries(belowMapRules).find(([rule]) => rule === value)?.[1] ?? value,
}

/** "$750.00" for 75,000 cents. Null is a setting that is as in the product. */
export function settingText(name: SettingName, value: string | number | null): string {
  if (value === null) return 'Standard'
  return texts[name]?.(String(value)) ?? String(value)
}
