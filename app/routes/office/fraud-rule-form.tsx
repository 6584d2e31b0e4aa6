import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import {
  fraudOutcomes,
  fraudSubjects,
  hasParameter,
  outcomeWords,
  type FraudKind,
  type FraudOutcome,
} from '#domain/fraud/fraud.ts'

/** A rule as its form shows it: what its kind does not have is empty. */
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

type Parts = { edited: EditedRule; reply: FormReply | undefined }

/** The form of one rule, with the parameters of its kind. */
export function RuleForm({ edited, reply }: Parts) {
  return (
    <Panel id="rule" title={edited.title} isOpen>
      <PanelBody>
        <ErrorSummary reply={reply} />
        <form method="post" noValidate>
          {edited.id === null ? null : <input type="hidden" name="rule" value={edited.id} />}
          <input type="hidden" name="version" value={edited.version} />
          <input type="hidden" name="kind" value={edited.kind} />
          <Parameters edited={edited} reply={reply} />
          <SelectField name="outcome" label="What happens" reply={reply} value={edited.outcome}>
            {fraudOutcomes.map((outcome) => (
              <option key={outcome} value={outcome}>
                {outcomeWords[outcome]}
              </option>
            ))}
          </SelectField>
          <Choice name="homesOnly" label="Only tires that go to a home" isOn={edited.homesOnly} reply={reply} />
          <Choice
            name="sparesCompanies"
            label="Not for approved companies"
            isOn={edited.sparesCompanies}
            reply={reply}
          />
          <Choice name="isOn" label="The rule is on" isOn={edited.isOn} reply={reply} />
          <button className="btn primary">Save the rule</button>
        </form>
      </PanelBody>
    </Panel>
  )
}

function Parameters({ edited, reply }: Parts) {
  const has = (parameter: Parameters<typeof hasParameter>[1]) => hasParameter(edited.kind, parameter)
  const number = { reply, inputMode: 'numeric', maxLength: 6 } as const
  return (
    <>
      {has('subject') ? (
        <SelectField name="subject" label="Counted by" reply={reply} value={edited.subject}>
          <option value="">Choose</option>
          {fraudSubjects.map((subject) => (
            <option key={subject} value={subject}>
              {subject}
            </option>
          ))}
        </SelectField>
      ) : null}
      {has('most') ? (
        <Field name="most" label={mostLabels[edited.kind] ?? 'Most'} value={edited.most} {...number} />
      ) : null}
      {has('minutes') ? (
        <Field
          name="minutes"
          label="Within how many minutes"
          value={edited.minutes}
          hint="1440 is a day."
          {...number}
        />
      ) : null}
      {has('miles') ? <Field name="miles" label="From how many miles" value={edited.miles} {...number} /> : null}
      {has('fromCents') ? (
        <Field
          name="fromCents"
          label="From which total"
          reply={reply}
          value={edited.fromCents}
          inputMode="decimal"
          maxLength={14}
        />
      ) : null}
      {has('words') ? (
        <TextAreaField
          name="words"
          label="Names"
          reply={reply}
          value={edited.words}
          rows={8}
          maxLength={2_000}
          hint="One on each line. They are looked for in company, name and address, as whole words."
        />
      ) : null}
    </>
  )
}

const mostLabels: Readonly<Partial<Record<FraudKind, string>>> = {
  orders: 'Most orders',
  declines: 'From how many declines',
  cards: 'Most cards',
  resale: 'Most tires',
}

function Choice({
  name,
  label,
  isOn,
  reply,
}: {
  name: string
  label: string
  isOn: boolean
  reply: FormReply | undefined
}) {
  const wasOn = reply ? reply.values[name] === '1' : isOn
  return (
    <div className="field-row">
      <label className="check">
        <input type="checkbox" name={name} value="1" defaultChecked={wasOn} /> {label}
      </label>
    </div>
  )
}
