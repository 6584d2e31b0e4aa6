/** The form of a supplier feed. Safe in the browser. */
import { z } from 'zod'
import { supplierKinds } from '#domain/catalog/catalog-import/catalog-import.ts'
import { countOf } from '#platform/count-text.ts'
import { ticked } from '#platform/form-fields.ts'
import { loginSecret, sftpLogin } from '#platform/sftp-login.ts'

const maxTimes = 24
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const timesMessage = `Enter up to ${countOf(maxTimes, 'time')}, such as 06:00, 14:30.`
const percentMessage = 'Enter a whole percentage from 1 to 100.'
const version = z.coerce.number().int().min(0).max(2_000_000_000).default(0)

const times = z
  .string(timesMessage)
  .trim()
  .max(200, timesMessage)
  .transform((text, issue) => {
    const typed = text.split(/[\s,;]+/).filter((time) => time !== '')
    const minutes = typed.map((time) => {
      const [, hour = '', minute = ''] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
      return hour === '' ? NaN : Number(hour) * 60 + Number(minute)
    })
    const unique = [...new Set(minutes)].toSorted((one, other) => one - other)
    if (unique.length > 0 && unique.length <= maxTimes && unique.every(Number.isInteger)) return unique
    issue.addIssue({ code: 'custom', message: timesMessage })
    return z.NEVER
  })

/**
 * A feed as it is typed. An SFTP address needs a user name and the fingerprint of the server's key; its secret is kept
 * if both fields are empty (`changeFeed`).
 */
export const feedForm = z
  .object({
    name: z
      .string('Enter a name.')
      .trim()
      .regex(/^[^<>\p{Cc}]{1,80}$/u, `Enter a name of up to ${countOf(80, 'character')}.`),
    kind: z.enum(supplierKinds, 'Choose what the file holds.'),
    mode: z.enum(['all-or-nothing', 'per-row'], 'Choose what happens to bad rows.'),
    url: z
      .string('Enter the address of the file.')
      .trim()
      .max(500, `Please keep this under ${countOf(500, 'character')}.`)
      .refine(
        (url) => /^(?:https?|sftp):\/\/[^\s]+$/.test(url) && URL.canParse(url),
        'Enter an https:// or sftp:// address.',
      ),
    ...sftpLogin,
    monday: ticked(),
    tuesday: ticked(),
    wednesday: ticked(),
    thursday: ticked(),
    friday: ticked(),
    saturday: ticked(),
    sunday: ticked(),
    times,
    maxPricePercent: z
      .string(percentMessage)
      .trim()
      .regex(/^\d{1,3}$/, percentMessage)
      .transform(Number)
      .pipe(z.int(percentMessage).min(1, percentMessage).max(100, percentMessage))
      .meta({ formUnit: 'number' }),
    version,
  })
  .superRefine((typed, issues) => {
    const fault = (path: string, message: string) => issues.addIssue({ code: 'custom', path: [path], message })
    if (!weekdays.some((day) => typed[day])) fault('times', 'Choose at least one day.')
    if (typed.password !== null && typed.privateKey !== null)
      fault('privateKey', 'Enter a password or a private key, not both.')
    if ((typed.password ?? typed.privateKey) !== null && typed.username === null)
      fault('username', 'Enter the user name.')
    if (!typed.url.startsWith('sftp:')) {
      if (typed.privateKey !== null) fault('privateKey', 'Private keys are for sftp:// addresses.')
      if (typed.hostKey !== null) fault('hostKey', 'Fingerprints are for sftp:// addresses.')
      return
    }
    if (typed.username === null) fault('username', 'Enter the user name.')
    if (typed.hostKey === null) fault('hostKey', 'Enter the fingerprint of the server’s key.')
  })
  .transform(({ name, kind, mode, url, username, password, privateKey, hostKey, maxPricePercent, ...typed }) => ({
    name,
    kind,
    mode,
    url,
    username,
    hostKey,
    maxPricePercent,
    secret: loginSecret(password, privateKey),
    days: weekdays.flatMap((day, index) => (typed[day] ? [index + 1] : [])),
    times: typed.times,
    version: typed.version,
  }))

export type FeedDraft = z.output<typeof feedForm>

/** The forms that pause a feed and resume it. */
export const feedVersionForm = z.object({ version })
