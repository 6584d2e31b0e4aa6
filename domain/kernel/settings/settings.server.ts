/** Store settings, which every process reads within seconds of a change, and owners change. */
import {
  insertLogo,
  insertSettings,
  lockSettings,
  selectChanges,
  selectSettings,
  tryLockRule,
  type SettingChange,
  type SettingValue,
} from './settings.sql.server.ts'
import { maxDaysAhead } from './business-terms.server.ts'
import { applied } from './read-settings.server.ts'
import { settingText } from './setting-text.ts'
import {
  colorFaults,
  limitFields,
  settingLabels,
  type ColorFault,
  type HoursInput,
  type LimitName,
  type SettingName,
  type SettingsInput,
  type StoreSettings,
} from './settings.ts'
import { recordAct, requireFreshOrScope, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { readPicture, type FileRefusal } from '#domain/kernel/files/files.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export {
  lockBelowMapRule,
  lockOfficeLimits,
  phoneHoursOf,
  readBelowMapRule,
  readOfficeLimits,
  readPayTerms,
  readScheduledHours,
  readSetDetails,
  readSettings,
} from './read-settings.server.ts'
export { settingText } from './setting-text.ts'
export { insertLogo as keepLogo, selectLogo } from './settings.sql.server.ts'
export { closeStore, isClosedTo, openStore, readStoreState } from './store-state.server.ts'
export {
  readPlanRows,
  readShippingPlan,
  removeShippingException,
  removeShippingZone,
  saveShippingException,
  saveShippingZone,
  type PlanRow,
} from './shipping-plan.server.ts'
export {
  cancelTermChange,
  changeTerms,
  readRatesAt,
  readTermsAt,
  readTermsPage,
  type LiveTerms,
  type TermRow,
} from './business-terms.server.ts'
export { areRatesConfirmed, latestTermsVersion, nextTermAt, termAt } from './business-terms.sql.server.ts'
export { createLiveSettings, type LiveSettings } from './live-settings.server.ts'

type Deps = { db: Database; clock: Clock; configured: Config['store'] }

type LogoFile = { name: string; bytes: Uint8Array }

export type SettingsRefusal =
  | ChangeRefusal
  | Refused<'colors', readonly ColorFault[]>
  | Refused<'not-a-picture'>
  | FileRefusal

/**
 * Saves the changed settings, each as a new row with an audit entry. Returns the number of changes (zero for a
 * duplicate submission). A logo must be a PNG, JPEG or WebP image and is re-encoded. Refuses colors with unreadable
 * text, an outdated form (`changed-meanwhile`), another rule for prices below a minimum while an import applies it
 * (`prices-changing`), and for a program changed approval limits (`limits`).
 */
export async function changeSettings(
  { db, clock, configured }: Deps,
  by: Actor,
  { input, file }: { input: SettingsInput; file: LogoFile | null },
  signal?: AbortSignal,
): Promise<Outcome<{ changed: number }, SettingsRefusal>> {
  const faults = colorFaults({ accent: input.accentColor, dark: input.darkColor })
  if (faults.length > 0) return refused('colors', faults)
  return saveWithLogo({ db, clock, configured }, by, { seen: input.seen, file, signal }, (now, added) =>
    wantedOf(input, added ?? (input.removeLogo === 'yes' ? null : now.logo)),
  )
}

/** Replaces the logo, or removes it for `file` null, as `changeSettings` does. It replaces any other logo. */
export function changeLogo(
  deps: Deps,
  by: Actor,
  file: LogoFile | null,
  signal?: AbortSignal,
): Promise<Outcome<{ changed: number }, ChangeRefusal | Refused<'not-a-picture'> | FileRefusal>> {
  return saveWithLogo(deps, by, { seen: null, file, signal }, (_, logo) => ({ logo }))
}

/** Saves settings with a new logo, if there is a file. `wantedFrom` gets the current settings and the new logo's key. */
async function saveWithLogo(
  deps: Deps,
  by: Actor,
  { seen, file, signal }: { seen: number | null; file: LogoFile | null; signal: AbortSignal | undefined },
  wantedFrom: (now: StoreSettings, logo: string | null) => Partial<StoreSettings>,
): Promise<Outcome<{ changed: number }, ChangeRefusal | Refused<'not-a-picture'> | FileRefusal>> {
  const logo = file && (await readPicture(file, signal))
  if (logo && !logo.ok) return logo
  return applyChanges(deps, by, seen, {
    wantedOf: (now) => wantedFrom(now, logo && logo.value.key),
    before: async (tx, changes, at) => {
      if (logo && changes.includes('logo')) await insertLogo(tx, { ...logo.value, at })
    },
  })
}

/**
 * Saves what of the phone hours is different, as `changeSettings` does, from `startsAt` on; null for now. Later hours for
 * the same start replace them. Refuses a start in the past or more than two years ahead (`starts-in-past`).
 */
export async function changePhoneHours(
  deps: Deps,
  by: Actor,
  { seen, startsAt, ...wanted }: HoursInput,
): Promise<Outcome<{ changed: number }, ChangeRefusal | Refused<'starts-in-past'>>> {
  const now = deps.clock.now()
  const isAllowed =
    startsAt === null ||
    (Temporal.Instant.compare(startsAt, now) > 0 &&
      Temporal.Instant.compare(startsAt, now.add({ hours: 24 * maxDaysAhead })) <= 0)
  if (!isAllowed) return refused('starts-in-past')
  return applyChanges(deps, by, seen, { wantedOf: () => wanted, validFrom: startsAt })
}

type ChangeRefusal =
  | Refused<'not-allowed'>
  | Refused<'not-fresh'>
  | Refused<'changed-meanwhile'>
  | Refused<'prices-changing'>
  | Refused<'limits', readonly LimitName[]>

/**
 * Writes each setting that is to be different, with its entry in the audit log, in one transaction. `seen` is the version
 * that the form was made of; null replaces any value.
 */
function applyChanges(
  { db, clock, configured }: Deps,
  by: Actor,
  seen: number | null,
  {
    wantedOf: wantedFrom,
    before,
    validFrom = null,
  }: {
    /** Computes the requested settings from the current ones. */
    wantedOf: (now: StoreSettings) => Partial<StoreSettings>
    before?: (tx: Tx, changes: readonly SettingName[], at: Temporal.Instant) => Promise<void>
    /** When the changes start; null for immediately. */
    validFrom?: Temporal.Instant | null
  },
): Promise<Outcome<{ changed: number }, ChangeRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    const permitted = await requireFreshOrScope(tx, by, 'settings.manage', at)
    if (!permitted.ok) return permitted
    const { version, values } = await selectSettings(tx, validFrom ?? at)
    const now = applied(values, configured)
    const wanted = wantedFrom(now)
    const changes = namesOf(wanted).filter((name) => wanted[name] !== now[name])
    if (changes.length === 0) return ok({ changed: 0 })
    // Rejects an outdated form, so that another owner's change isn't overwritten.
    if (seen !== null && seen !== version) return refused('changed-meanwhile')
    const limits = changes.filter(isLimit)
    if (by.via === 'api' && limits.length > 0) return refused('limits', limits)
    if (changes.includes('below-map') && !(await tryLockRule(tx))) return refused('prices-changing')
    await before?.(tx, changes, at)
    await insertSettings(
      tx,
      changes.map((name) => ({ name, value: wanted[name] ?? null })),
      { by: by.name, at, validFrom },
    )
    for (const name of changes)
      await recordAct(tx, {
        by,
        act: 'settings.changed',
        fresh: permitted.value,
        subject: settingLabels[name].toLowerCase(),
        before: { value: settingText(name, now[name]) },
        after: { value: settingText(name, wanted[name] ?? null), ...(validFrom && { from: validFrom.toString() }) },
        at,
      })
    return ok({ changed: changes.length })
  })
}

function wantedOf(input: SettingsInput, logo: string | null): Partial<StoreSettings> {
  return {
    name: input.name,
    phone: input.phone,
    email: input.email,
    'return-address': input.returnAddress,
    logo,
    'accent-color': input.accentColor,
    'dark-color': input.darkColor,
    'refund-alone-cents': input.refundAlone,
    'daily-alone-cents': input.dailyAlone,
    'discount-alone-ppm': input.discountAlone,
    'quote-margin-floor-ppm': input.quoteMarginFloor,
    'no-show-pay-cents': input.noShowPay,
    'pay-hold-hours': input.payHoldHours,
    'pay-dispute-days': input.payDisputeDays,
    'pay-alone-cents': input.payAlone,
    'below-map': input.belowMap,
  }
}

function namesOf(settings: Partial<StoreSettings>): SettingName[] {
  return Object.keys(settings) as SettingName[]
}

function isLimit(name: SettingName): name is LimitName {
  return Object.hasOwn(limitFields, name)
}

const changesPerPage = 25

/** Lists a page of changes, newest first, each with the previous value; `next` is the cursor of the following page. */
export async function listSettingChanges(
  { db }: Pick<Deps, 'db'>,
  before: number | null,
): Promise<{ changes: (SettingChange & { was: SettingValue })[]; next: number | null }> {
  const found = await selectChanges(db, { before, count: changesPerPage + 1 })
  const changes = found.slice(0, changesPerPage)
  return { changes, next: found.length > changesPerPage ? (changes.at(-1)?.id ?? null) : null }
}
