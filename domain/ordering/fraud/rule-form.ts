/** The form of a rule against fraud. */
import { dollars, emptyOr, ticked } from '#platform/form-fields.ts'
import { z } from 'zod'
import {
  declineSubjects,
  fraudKinds,
  fraudOutcomes,
  fraudSubjects,
  hasParameter,
  type FraudKind,
} from './fraud-rules.ts'

const whole = (from: number, to: number) => {
  const message = `Enter a whole number from ${from} to ${to}.`
  return emptyOr(
    z
      .string(message)
      .trim()
      .regex(/^\d{1,6}$/, message)
      .transform(Number)
      .pipe(z.number().min(from, message).max(to, message)),
  )
}

const missing = 'Enter a value.'
const kinds = Object.keys(fraudKinds) as [FraudKind, ...FraudKind[]]

/** A rule's form for staff. Parameters of the rule's kind are required; others are omitted. */
export const fraudRuleForm = z
  .object({
    kind: z.enum(kinds, 'Please choose a kind.'),
    subject: emptyOr(z.enum(fraudSubjects, 'Please choose a grouping.')),
    most: whole(1, 1_000).describe('Maximum orders, declines, cards or tires'),
    minutes: whole(5, 43_200),
    miles: whole(1, 6_000),
    fromCents: emptyOr(dollars('Enter an amount in dollars, such as 3,000.')),
    words: z
      .string()
      .max(2_000, 'Please keep this under 2000 characters.')
      .default('')
      .transform((text) => text.split(/[\n,]/).flatMap((word) => word.trim() || []))
      .pipe(
        z
          .array(z.string().max(60, 'Please keep each under 60 characters.'))
          .max(60, 'Please enter at most 60 of them.'),
      )
      .describe('Names, one per line'),
    homesOnly: ticked().describe('Whether it applies to home deliveries only'),
    sparesCompanies: ticked().describe('Whether it doesn’t apply to approved companies'),
    outcome: z.enum(fraudOutcomes, 'Please choose what happens.'),
    isOn: ticked(),
    version: z.coerce.number().int().min(0).max(2_000_000_000).default(0),
  })
  .superRefine((rule, context) => {
    for (const parameter of fraudKinds[rule.kind].parameters) {
      const value = rule[parameter]
      if (value === null || (Array.isArray(value) && value.length === 0))
        context.addIssue({ code: 'custom', path: [parameter], message: missing })
    }
    const counted: readonly string[] = declineSubjects
    if (rule.kind === 'declines' && rule.subject !== null && !counted.includes(rule.subject))
      context.addIssue({
        code: 'custom',
        path: ['subject'],
        message: 'Declined cards are counted by account, email or network.',
      })
  })
  .transform((rule) => ({
    ...rule,
    subject: hasParameter(rule.kind, 'subject') ? rule.subject : null,
    most: hasParameter(rule.kind, 'most') ? rule.most : null,
    minutes: hasParameter(rule.kind, 'minutes') ? rule.minutes : null,
    miles: hasParameter(rule.kind, 'miles') ? rule.miles : null,
    fromCents: hasParameter(rule.kind, 'fromCents') ? rule.fromCents : null,
    words: hasParameter(rule.kind, 'words') ? rule.words : null,
  }))

export type FraudRuleInput = Omit<z.output<typeof fraudRuleForm>, 'version'>
