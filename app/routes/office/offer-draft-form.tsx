import type { ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { funderNames } from '#domain/promotions/promotions.ts'
import { Options } from './options.tsx'

type OfferDraft = {
  reply: FormReply | undefined
  formKey: string
  /** What the draft is a new version of, as its form had it. */
  original: Record<string, string> | undefined
  labels: Record<string, string>
  kinds: Record<string, string>
  subjectHint: string
  /** The fields before what it takes off, and those after the tires it is for. */
  names: ReactNode
  limits?: ReactNode
}

/** The form of a new promotion or coupon, or of a new version of one. */
export function OfferDraftForm(props: OfferDraft) {
  const { reply, formKey, original, labels, kinds, subjectHint, names, limits } = props
  const field = draftField(props)
  return (
    <Panel id="draft" title="Draft">
      <form method="post" noValidate autoComplete="off">
        <input type="hidden" name="formKey" value={reply?.values['formKey'] ?? formKey} />
        <input type="hidden" name="replaces" value={reply?.values['replaces'] ?? original?.['id'] ?? ''} />
        {reply ? (
          <PanelBody>
            <ErrorSummary reply={reply} labels={labels} />
          </PanelBody>
        ) : null}
        <PanelBody isPair>
          {names}
          <SelectField {...field('kind')}>
            <Options of={kinds} />
          </SelectField>
          <Field
            {...field('amount')}
            inputMode="decimal"
            maxLength={14}
            required={false}
            hint="Dollars, percent or tires. Leave it empty for buy 3, get 1."
          />
          <Field {...field('subject')} maxLength={120} required={false} hint={subjectHint} />
          {limits}
          <SelectField {...field('fundedBy')}>
            <Options of={funderNames} />
          </SelectField>
        </PanelBody>
        <PanelBody>
          <button className="btn primary">Save draft</button>
        </PanelBody>
      </form>
    </Panel>
  )
}

/** What a field of the form has by its name: its label, and what was typed, or else what the original has. */
export function draftField({ labels, reply, original }: Pick<OfferDraft, 'labels' | 'reply' | 'original'>) {
  return (name: string) => ({ name, label: labels[name] ?? name, reply, value: original?.[name] })
}

/** The amount of a promotion or coupon as its form has it: dollars, percent or tires. */
export function amountInForm({ kind, amount }: { kind: string; amount: number }): string {
  return kind === 'Flat Amount' ? (amount / 100).toFixed(2) : String(amount)
}
