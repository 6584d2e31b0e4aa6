/** Business terms, such as shipping rates and return windows, each with the time from which it applies. */
import { z } from 'zod'
import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import {
  cancelTermChange,
  changeTerms,
  readScheduledHours,
  readTermsPage,
} from '#domain/kernel/settings/settings.server.ts'
import {
  businessTerms,
  cancelTermForm,
  startsField,
  termGroups,
  termInputText,
  termNames,
  termsForm,
  type TermGroup,
  type TermName,
} from '#domain/kernel/settings/settings.ts'
import { oldSignIn, showSettings } from './settings.server.ts'

const shared = {
  resource: 'business-settings',
  hasNoId: true,
  permission: 'settings.manage',
  readPermission: 'settings.read',
} as const

/** Returns a value for programs, in integer cents, percent or yes or no as text, a whole number, or null for never. */
function valueOf(name: TermName, value: number): number | string | null {
  const { unit, zeroText } = businessTerms[name]
  if (zeroText !== undefined && value === 0) return null
  return unit === 'ppm' || unit === 'yes-no' ? termInputText(name, value) : value
}

/** Declares the terms of a group, which are changed together. */
function termActions(group: TermGroup, noun: string) {
  return defineActions({
    ...shared,
    part: group,
    noun,
    actions: {
      change: formAction(
        {
          summary: `Change ${termGroups[group].toLowerCase()}`,
          description: `Now, or from \`${startsField(group)}\` on. Orders keep the terms they were placed under. \`seen\` is the version that was read.${group === 'shipping' ? ' Sending unchanged rates confirms them for the store setup.' : ''}`,
          form: termsForm(group),
        },
        ({ app, by }, input) =>
          showSettings(
            app,
            // Saving the shipping rates unchanged confirms them.
            changeTerms(app, by, { group, input, isConfirmed: group === 'shipping' && input.startsAt === null }),
          ),
      ),
    },
    refusals: {
      'not-fresh': oldSignIn,
      'starts-in-past': (of) => ({ field: startsField(of), text: 'Choose a time from now to two years ahead.' }),
      'starts-taken': (of) => ({
        field: startsField(of),
        text: 'Another change starts at this minute. Cancel it, or choose another time.',
      }),
      'plan-is-immediate': (of) => ({
        field: startsField(of),
        text: 'Zones and exceptions are restored immediately. Leave this empty.',
      }),
      'too-many': 'This store has reached the limit of 5,000 changes.',
    },
    async read(app) {
      const { terms, version } = await readTermsPage(app, null)
      const names = termNames.filter((name) => businessTerms[name].group === group)
      const values = Object.fromEntries(names.map((name) => [name, valueOf(name, terms[name])]))
      const plan = group === 'shipping' ? { plan: null } : {}
      return { ...values, ...plan, [startsField(group)]: null, seen: version }
    },
  })
}

export const shippingTermActions = termActions('shipping', 'shipping section')
export const orderTermActions = termActions('orders', 'returns section')
export const discountTermActions = termActions('discounts', 'discount section')
export const protectionTermActions = termActions('protection', 'protection section')
export const serviceTermActions = termActions('services', 'service section')

const value = z.union([z.int(), z.string()]).nullable().meta({ description: 'As its section takes it' })

/** All terms, and the changes that haven't started. */
export const scheduledTermActions = defineActions({
  ...shared,
  noun: 'business settings plan',
  actions: {
    cancel: formAction(
      { summary: 'Cancel a scheduled change', description: 'Only before it starts.', form: cancelTermForm },
      ({ app, by }, { change }) => showSettings(app, cancelTermChange(app, by, change)),
    ),
  },
  refusals: {
    'not-fresh': oldSignIn,
    gone: 'This change was canceled already.',
    started: 'This change has started. Save the values that should apply instead.',
  },
  async read(app) {
    const [{ terms, scheduled }, hours] = await Promise.all([
      readTermsPage(app, null),
      readScheduledHours({ ...app, configured: app.settings.configured }),
    ])
    return {
      scheduledHours: hours.map(({ validFrom, by, settings }) => ({
        zone: settings['phone-zone'],
        week: settings['phone-week'],
        holidays: settings['phone-holidays'],
        startsAt: validFrom.toString(),
        by,
      })),
      terms: termNames.map((name) => {
        const { group, label, unit } = businessTerms[name]
        return { name, section: group, label, unit, value: valueOf(name, terms[name]) }
      }),
      scheduled: scheduled.map((change) => ({
        change: change.id,
        name: change.name,
        value: valueOf(change.name, change.value),
        startsAt: change.validFrom.toString(),
        by: change.setBy,
      })),
    }
  },
  facts: z.object({
    terms: z.array(
      z.object({
        name: z.string(),
        section: z.enum(Object.keys(termGroups)),
        label: z.string(),
        unit: z.string().meta({ description: 'A value in `ppm` is in percent.' }),
        value,
      }),
    ),
    scheduled: z
      .array(z.object({ change: z.int(), name: z.string(), value, startsAt: z.iso.datetime(), by: z.string() }))
      .meta({ description: 'Up to 100 changes, the first to start first' }),
    scheduledHours: z
      .array(
        z.object({
          zone: z.string(),
          week: z.string().meta({ description: 'Such as 1 08:00-19:00, 6 09:00-17:00; 1 is Monday' }),
          holidays: z.string(),
          startsAt: z.iso.datetime(),
          by: z.string(),
        }),
      )
      .meta({ description: 'Phone hours that start later' }),
  }),
})
