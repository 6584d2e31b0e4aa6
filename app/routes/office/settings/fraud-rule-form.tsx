import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel, type FormFields } from '#app/office/form.tsx'
import {
  fraudSubjects,
  hasParameter,
  outcomeWords,
  type FraudKind,
  type FraudOutcome,
} from '#domain/ordering/fraud/fraud.ts'

/** A rule as form values. Fields that its kind doesn't use are empty. */
export type EditedRule = {
  id: number | null
  kind: FraudKind
  version: number
  title: string
  subject: string
  most: string
  minutes: string
  miles: string
  fromCents: string
  words: string
  homesOnly: boolean
  sparesCompanies: boolean
  outcome: FraudOutcome
  isOn: boolean
}

/** The form of one rule, with the parameters of its kind. */
export function RuleForm({ edited, reply }: { edited: EditedRule; reply: FormReply | undefined }) {
  const { id, kind, version, title, outcome } = edited
  return (
    <FormPanel
      id="rule"
      title={title}
      isOpen
      reply={reply}
      hidden={{ ...(id !== null && { rule: id }), version, kind }}
      fields={{
        ...parametersOf(edited),
        outcome: { label: 'Outcome', kind: 'choice', value: outcome, options: Object.entries(outcomeWords) },
        homesOnly: { label: 'Only home deliveries', kind: 'tick', isTicked: edited.homesOnly },
        sparesCompanies: { label: 'Not for approved companies', kind: 'tick', isTicked: edited.sparesCompanies },
        isOn: { label: 'Rule is on', kind: 'tick', isTicked: edited.isOn },
      }}
      buttons={[button(id === null ? 'add' : 'change', 'Save rule', 'primary')]}
    />
  )
}

function parametersOf({ kind, subject, most, minutes, miles, fromCents, words }: EditedRule): FormFields {
  const fields = {
    subject: {
      label: 'Counted by',
      kind: 'choice',
      value: subject,
      options: [['', 'Choose'], ...fraudSubjects.map((each): [string, string] => [each, each])],
    },
    most: { label: maxLabels[kind] ?? 'Maximum', kind: 'number', max: 6, value: most },
    minutes: { label: 'Within minutes', kind: 'number', max: 6, value: minutes, hint: '1440 is a day.' },
    miles: { label: 'Minimum miles', kind: 'number', max: 6, value: miles },
    fromCents: { label: 'Minimum total in dollars', kind: 'money', value: fromCents },
    words: {
      label: 'Names',
      kind: 'area',
      value: words,
      rows: 8,
      max: 2_000,
      hint: 'One per line. Matched as whole words in company, name and address.',
    },
  } satisfies FormFields
  return Object.fromEntries(
    (Object.keys(fields) as (keyof typeof fields)[])
      .filter((name) => hasParameter(kind, name))
      .map((name) => [name, fields[name]]),
  )
}

const maxLabels: Readonly<Partial<Record<FraudKind, string>>> = {
  orders: 'Maximum orders',
  declines: 'Minimum declines',
  cards: 'Maximum cards',
  resale: 'Maximum tires',
}
