/** Reading the settings that apply. */
import {
  lockRuleShared,
  lockSettingsShared,
  selectScheduledSettings,
  selectSettings,
  type SettingValue,
} from './settings.sql.server.ts'
import {
  maxPayHoldHours,
  officeLimitDefaults,
  payTermDefaults,
  type BelowMapRule,
  type OfficeLimits,
  type PayTerms,
  type SettingName,
  type StoreSettings,
} from './settings.ts'
import { readHolidayLines, readWeekLine, standardPhoneHours, weekLine, type PhoneHours } from '#platform/phone-hours.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'

/**
 * The settings that apply now, with the number of the latest change, and `started`, which differs once a scheduled value
 * starts. `configured` are the defaults of the environment.
 */
export async function readSettings({
  db,
  clock,
  configured,
}: {
  db: Database
  clock: Clock
  configured: Config['store']
}): Promise<{ version: number; started: string; settings: StoreSettings }> {
  const { version, started, values } = await selectSettings(db, clock.now())
  return { version, started, settings: applied(values, configured) }
}

/** Scheduled phone hours by start time. */
export async function readScheduledHours({
  db,
  clock,
  configured,
}: Parameters<typeof readSettings>[0]): Promise<
  { validFrom: Temporal.Instant; by: string; settings: StoreSettings }[]
> {
  const now = clock.now()
  const [{ values }, scheduled] = await Promise.all([selectSettings(db, now), selectScheduledSettings(db, now)])
  const byStart = Map.groupBy(scheduled, ({ validFrom }) => validFrom.toString())
  let before = values
  return [...byStart.values()].flatMap((started) => {
    before = { ...before, ...Object.fromEntries(started.map(({ name, value }) => [name, value])) }
    const [first] = started
    return first ? [{ validFrom: first.validFrom, by: first.by, settings: applied(before, configured) }] : []
  })
}

/** The settings that apply now, and which of them someone set. */
export async function readSetDetails(deps: {
  db: Database
  configured: Config['store']
}): Promise<{ applied: StoreSettings; isSet: (name: SettingName) => boolean }> {
  const { values } = await selectSettings(deps.db)
  return { applied: applied(values, deps.configured), isSet: (name) => typeof values[name] === 'string' }
}

/** Returns the current concession limits, read in the transaction they apply to. */
export async function readOfficeLimits(db: Database): Promise<OfficeLimits> {
  const { values } = await selectSettings(db)
  return {
    refundAloneCents: numberOr(values['refund-alone-cents'], officeLimitDefaults.refundAloneCents),
    dailyAloneCents: numberOr(values['daily-alone-cents'], officeLimitDefaults.dailyAloneCents),
    discountAlonePpm: numberOr(values['discount-alone-ppm'], officeLimitDefaults.discountAlonePpm),
    quoteMarginFloorPpm: numberOr(values['quote-margin-floor-ppm'], officeLimitDefaults.quoteMarginFloorPpm),
  }
}

/** Returns the current concession limits, and locks them until the end of the transaction that they decide. */
export async function lockOfficeLimits(tx: Tx): Promise<OfficeLimits> {
  await lockSettingsShared(tx)
  return readOfficeLimits(tx)
}

/** Returns the current payout terms, read in the transaction they apply to. */
export async function readPayTerms(db: Database): Promise<PayTerms> {
  const { values } = await selectSettings(db)
  return {
    noShowCents: numberOr(values['no-show-pay-cents'], payTermDefaults.noShowCents),
    holdHours: holdHoursOf(values['pay-hold-hours']),
    disputeDays: numberOr(values['pay-dispute-days'], payTermDefaults.disputeDays),
    aloneCents: numberOr(values['pay-alone-cents'], payTermDefaults.aloneCents),
  }
}

/**
 * Returns what happens to prices below a minimum advertised price, and locks it until the end of the transaction that
 * applies it, such as an import's.
 */
export async function lockBelowMapRule(tx: Tx): Promise<BelowMapRule> {
  await lockRuleShared(tx)
  return readBelowMapRule(tx)
}

/** The same for a page, without the lock. */
export async function readBelowMapRule(db: Database): Promise<BelowMapRule> {
  const { values } = await selectSettings(db)
  return belowMapRuleOf(values['below-map'])
}

function belowMapRuleOf(value: SettingValue | undefined): BelowMapRule {
  return value === 'price-in-cart' ? value : 'refuse'
}

/** Returns the hold period. One set before the limit existed is capped. */
function holdHoursOf(value: SettingValue | undefined): number {
  return Math.min(numberOr(value, payTermDefaults.holdHours), maxPayHoldHours)
}

/** Merges the settings with the configured defaults. */
export function applied(
  values: Partial<Record<SettingName, SettingValue>>,
  configured: Config['store'],
): StoreSettings {
  return {
    name: textOr(values.name, configured.name),
    phone: textOr(values.phone, configured.phone),
    email: textOr(values.email, configured.email),
    'return-address': textOr(values['return-address'], configured.address),
    logo: textOr(values.logo, null),
    'accent-color': textOr(values['accent-color'], null),
    'dark-color': textOr(values['dark-color'], null),
    'refund-alone-cents': numberOr(values['refund-alone-cents'], officeLimitDefaults.refundAloneCents),
    'daily-alone-cents': numberOr(values['daily-alone-cents'], officeLimitDefaults.dailyAloneCents),
    'discount-alone-ppm': numberOr(values['discount-alone-ppm'], officeLimitDefaults.discountAlonePpm),
    'quote-margin-floor-ppm': numberOr(values['quote-margin-floor-ppm'], officeLimitDefaults.quoteMarginFloorPpm),
    'no-show-pay-cents': numberOr(values['no-show-pay-cents'], payTermDefaults.noShowCents),
    'pay-hold-hours': holdHoursOf(values['pay-hold-hours']),
    'pay-dispute-days': numberOr(values['pay-dispute-days'], payTermDefaults.disputeDays),
    'pay-alone-cents': numberOr(values['pay-alone-cents'], payTermDefaults.aloneCents),
    'below-map': belowMapRuleOf(values['below-map']),
    'phone-zone': textOr(values['phone-zone'], standardPhoneHours.zone),
    'phone-week': textOr(values['phone-week'], weekLine(standardPhoneHours.week)),
    'phone-holidays': textOr(values['phone-holidays'], ''),
  }
}

/** The phone hours among the settings. */
export function phoneHoursOf(settings: StoreSettings): PhoneHours {
  return {
    zone: settings['phone-zone'],
    week: readWeekLine(settings['phone-week']),
    holidays: readHolidayLines(settings['phone-holidays']) ?? [],
  }
}

function textOr<Default extends string | null>(value: SettingValue | undefined, other: Default): string | Default {
  return typeof value === 'string' ? value : other
}

function numberOr(value: SettingValue | undefined, other: number): number {
  return typeof value === 'number' ? value : other
}
