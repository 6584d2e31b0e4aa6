import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel, type FormField } from '#app/office/form.tsx'
import { OfficePage, type OfficeCrumb } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { funderNames } from '#domain/catalog/promotions/promotions.ts'

type Fields = Readonly<Record<string, FormField>>

/** The page with the form of a new promotion or coupon, or of a new version of the `original`. */
export function OfferDraftPage({
  what,
  crumb,
  original,
  formKey,
  names,
  kinds,
  subjectHint,
  limits = {},
  reply,
}: {
  what: 'promotion' | 'coupon'
  crumb: OfficeCrumb
  /** Its name, and its values as the form has them. */
  original: { title: string; values: Readonly<Record<string, string>> } | null
  formKey: string
  /** The fields before the discount, and those after the tires it applies to. */
  names: Fields
  kinds: Readonly<Record<string, string>>
  subjectHint: string
  limits?: Fields
  reply: FormReply | undefined
}) {
  const fields: Fields = {
    ...names,
    kind: { label: 'Discount', kind: 'choice', options: kinds },
    amount: {
      label: 'Amount',
      kind: 'money',
      max: 14,
      isOptional: true,
      hint: 'Dollars, percent or tires. Leave empty for buy 3, get 1.',
    },
    subject: { label: 'Applies to', max: 120, isOptional: true, hint: subjectHint },
    ...limits,
    fundedBy: { label: 'Paid by', kind: 'choice', options: funderNames },
  }
  return (
    <OfficePage title={original ? `New version of ${original.title}` : `New ${what}`} crumbs={[crumb]} reply={reply}>
      {original ? <Notice tone="signal" title="The current version ends when the new one starts." /> : null}
      <FormPanel
        id="draft"
        title="Draft"
        isPair
        reply={reply}
        hidden={{ formKey, replaces: original?.values['id'] ?? '' }}
        fields={Object.fromEntries(
          Object.entries(fields).map(([name, field]) => [name, { value: original?.values[name], ...field }]),
        )}
        buttons={[button('', 'Save draft', 'primary')]}
      />
    </OfficePage>
  )
}

/** Formats a promotion or coupon amount for its form, in dollars, percent, or tires. */
export function amountInForm({ kind, amount }: { kind: string; amount: number }): string {
  return kind === 'Flat Amount' ? (amount / 100).toFixed(2) : String(amount)
}
