/** Settings in the office, with current values and change history. */
import { brandPaths } from '#content/brand-paths.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  listSettingChanges,
  phoneHoursOf,
  readScheduledHours,
  readSettings,
  settingText,
} from '#domain/kernel/settings/settings.server.ts'
import { settingLabels, tokenColors, type StoreSettings } from '#domain/kernel/settings/settings.ts'
import type { Config } from '#platform/config.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'

/** Reads the page; `before` is the number of the change that the next older ones come after. */
export async function readSettingsPage(
  { db, clock }: Pick<Application, 'db' | 'clock'>,
  { configured, before }: { configured: Config['store']; before: number | null },
) {
  const [{ version, settings }, scheduled, { changes, next }] = await Promise.all([
    readSettings({ db, clock, configured }),
    readScheduledHours({ db, clock, configured }),
    listSettingChanges({ db }, before),
  ])
  return {
    version,
    values: formValues(settings),
    logo: settings.logo === null ? null : brandPaths.logo(`${settings.logo}.webp`),
    shown: (Object.keys(settings) as (keyof StoreSettings)[]).map(
      (name) => [settingLabels[name], settingText(name, settings[name])] as const,
    ),
    scheduledHours: scheduled.map(({ validFrom, by, settings: later }) => ({
      id: validFrom.toString(),
      cells: { from: timeText(validFrom, storeZone), hours: phoneHoursText(phoneHoursOf(later)) || 'Closed', by },
    })),
    changes: changes.map(({ id, name, value, was, at, by, validFrom }) => ({
      id: String(id),
      cells: {
        at: timeText(at, storeZone),
        by,
        what: settingLabels[name],
        // Null is both "never set" and "back to the default".
        was: settingText(name, was),
        became: settingText(name, value) + (validFrom ? `, from ${timeText(validFrom, storeZone)}` : ''),
      },
    })),
    older: next === null ? null : officePaths.officeSettings({ before: next }),
    standardColors: { accent: tokenColors.signal, dark: tokenColors.ink },
  }
}

/** What the fields of the form begin with. */
function formValues(settings: StoreSettings): Record<string, string> {
  return {
    name: settings.name,
    phone: settings.phone,
    email: settings.email,
    returnAddress: settings['return-address'],
    accentColor: settings['accent-color'] ?? '',
    darkColor: settings['dark-color'] ?? '',
    refundAlone: formatCents(settings['refund-alone-cents']),
    dailyAlone: formatCents(settings['daily-alone-cents']),
    discountAlone: percentText(settings['discount-alone-ppm']),
    quoteMarginFloor: percentText(settings['quote-margin-floor-ppm']),
    noShowPay: formatCents(settings['no-show-pay-cents']),
    payHoldHours: String(settings['pay-hold-hours']),
    payDisputeDays: String(settings['pay-dispute-days']),
    payAlone: formatCents(settings['pay-alone-cents']),
    belowMap: settings['below-map'],
    zone: settings['phone-zone'],
    holidays: settings['phone-holidays'],
    ...Object.fromEntries(
      phoneHoursOf(settings).week.flatMap(({ weekday, opens, closes }) => [
        [`opens-${weekday}`, opens],
        [`closes-${weekday}`, closes],
      ]),
    ),
  }
}

function percentText(ppm: number): string {
  return String(ppm / 10_000)
}
