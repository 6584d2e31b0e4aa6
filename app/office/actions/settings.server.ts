/** Store settings, with details, limits, phone hours, and logo. */
import { z } from 'zod'
import { defineActions, formAction, plainAction } from '#app/office/define-actions.server.ts'
import { pictureFaults, pictureTypes } from '#app/office/picture.server.ts'
import { readSentFile } from '#app/office/sent-file.server.ts'
import type { SentFile } from '#app/office/define-actions.server.ts'
import { brandPaths } from '#content/brand-paths.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import {
  changeLogo,
  changePhoneHours,
  changeSettings,
  phoneHoursOf,
  readSettings,
} from '#domain/kernel/settings/settings.server.ts'
import {
  colorFaultText,
  hoursForm,
  limitFields,
  settingsForm,
  type ColorFault,
  type LimitName,
} from '#domain/kernel/settings/settings.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Application } from '#application'

/** Shows changed settings in this process before it returns. The other processes follow within a second. */
export async function showSettings<Value, Refusal extends Refused<string, unknown>>(
  { settings }: Application,
  change: Promise<Outcome<Value, Refusal>>,
): Promise<Outcome<Value, Refusal>> {
  const changed = await change
  if (changed.ok) await settings.read()
  return changed
}

/** The refusal of an old sign-in, which the settings show above their forms. */
export const oldSignIn = { text: concessionMessages['not-fresh'], status: 403 } as const

const depsOf = (app: Application) => ({ ...app, configured: app.settings.configured })

const shared = { hasNoId: true, permission: 'settings.manage', readPermission: 'settings.read' } as const

const changeRefusals = {
  'not-fresh': oldSignIn,
  'prices-changing': {
    field: 'belowMap',
    text: 'Prices are being published now. Save this again when that is done.',
    status: 409,
  },
  limits: (names: readonly LimitName[]) => ({
    fields: Object.fromEntries(
      names.map((name) => [limitFields[name], 'Only an owner changes this limit, in the back office.']),
    ),
  }),
} as const

const seen = { description: '`seen` is the version that was read.' }

export const storeProfileActions = defineActions({
  ...shared,
  resource: 'settings',
  part: 'store',
  noun: 'store profile',
  actions: {
    change: formAction(
      {
        summary: 'Change the store’s details and limits',
        description: `${seen.description} Rates are in percent. Programs send the limits of what is given without a second person as they are, because only an owner changes them: ${Object.values(
          limitFields,
        )
          .map((field) => `\`${field}\``)
          .join(', ')}.`,
        form: settingsForm,
      },
      async ({ app, by, file, signal }, input) => {
        const logo = await readLogo(file)
        if (!logo.ok) return logo
        return showSettings(app, changeSettings(depsOf(app), by, { input, file: logo.value }, signal))
      },
    ),
  },
  refusals: {
    ...pictureFaults('logo'),
    ...changeRefusals,
    colors: (faults: readonly ColorFault[]) => ({
      fields: Object.fromEntries(
        faults
          .toReversed()
          .map((fault) => [fault.color === 'accent-color' ? 'accentColor' : 'darkColor', colorFaultText(fault)]),
      ),
    }),
  },
  async read(app) {
    const { version, settings } = await readSettings(depsOf(app))
    return {
      name: settings.name,
      phone: settings.phone,
      email: settings.email,
      returnAddress: settings['return-address'],
      accentColor: settings['accent-color'],
      darkColor: settings['dark-color'],
      refundAlone: settings['refund-alone-cents'],
      dailyAlone: settings['daily-alone-cents'],
      discountAlone: String(settings['discount-alone-ppm'] / 10_000),
      quoteMarginFloor: String(settings['quote-margin-floor-ppm'] / 10_000),
      noShowPay: settings['no-show-pay-cents'],
      payHoldHours: settings['pay-hold-hours'],
      payDisputeDays: settings['pay-dispute-days'],
      payAlone: settings['pay-alone-cents'],
      belowMap: settings['below-map'],
      seen: version,
    }
  },
})

/** Returns a sent logo; null without a file. */
async function readLogo(
  file: SentFile | null | undefined,
): Promise<Outcome<{ name: string; bytes: Uint8Array } | null, Refused<'too-large'>>> {
  if (!file) return ok(null)
  const bytes = await readSentFile(file, maxAttachmentBytes)
  return bytes ? ok({ name: file.name, bytes }) : refused('too-large')
}

export const storeLogoActions = defineActions({
  ...shared,
  resource: 'settings',
  part: 'logo',
  noun: 'store logo',
  actions: {
    change: plainAction(
      {
        summary: 'Set the store’s logo',
        description: `PNG, JPEG or WebP, up to ${maxAttachmentBytes / 1024 / 1024} MB. It is re-encoded.`,
        file: pictureTypes,
      },
      async ({ app, by, file, signal }) => {
        const logo = await readLogo(file)
        if (!logo.ok) return logo
        if (!logo.value || logo.value.bytes.length === 0) return refused('no-file')
        return showSettings(app, changeLogo(depsOf(app), by, logo.value, signal))
      },
    ),
    remove: plainAction(
      { summary: 'Remove the store’s logo', description: 'Pages show its name instead.' },
      ({ app, by }) => showSettings(app, changeLogo(depsOf(app), by, null)),
    ),
  },
  refusals: { ...pictureFaults('file'), ...changeRefusals },
  async read(app) {
    const { settings } = await readSettings(depsOf(app))
    return { path: settings.logo && brandPaths.logo(`${settings.logo}.webp`) }
  },
  facts: z.object({ path: z.string().nullable().meta({ description: 'In the store; null without a logo' }) }),
})

export const phoneHoursActions = defineActions({
  ...shared,
  resource: 'settings',
  part: 'hours',
  noun: 'phone schedule',
  actions: {
    change: formAction(
      {
        summary: 'Change the phone hours',
        description: `Now, or from \`startsAt\` on. The business settings list scheduled hours; hours for the same start replace them. ${seen.description} Weekday 1 is Monday, and a weekday that is left out is closed. \`holidays\` has one per line, such as 2026-12-25 closed Christmas Day.`,
        form: hoursForm,
      },
      ({ app, by }, hours) => showSettings(app, changePhoneHours(depsOf(app), by, hours)),
    ),
  },
  refusals: {
    ...changeRefusals,
    'starts-in-past': { field: 'startsAt', text: 'Choose a time from now to two years ahead.' },
  },
  async read(app) {
    const { version, settings } = await readSettings(depsOf(app))
    const week = phoneHoursOf(settings).week.map(({ weekday, ...span }) => ({ weekday: String(weekday), ...span }))
    return {
      zone: settings['phone-zone'],
      holidays: settings['phone-holidays'],
      week,
      startsAt: null,
      seen: version,
    }
  },
})
