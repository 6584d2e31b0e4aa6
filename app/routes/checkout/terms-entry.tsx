import type { FormReply } from '#app/forms/form.ts'
import type { TermsView } from '#app/routes/checkout/terms-view.server.ts'
import { paths, withQuery } from '#content/paths.ts'
import { Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'

/** Renders the company's net terms and the PO number for the invoice. */
export function TermsFields({
  terms: { granted, off, po },
  saved,
  reply,
}: {
  terms: TermsView
  saved: string | null
  reply: FormReply | undefined
}) {
  return (
    <>
      <p>
        <b className="tabular">{granted}</b>
      </p>
      {off === null ? null : (
        <p className="pay-way-off small">
          <Icon name="warning" size="s" />
          <span>{off}</span>
        </p>
      )}
      {po ? (
        <Field
          name="poNumber"
          label="PO number"
          value={saved}
          reply={reply}
          maxLength={40}
          required={po.isRequired}
          hint={po.hint}
        />
      ) : null}
    </>
  )
}

/** The way back without buying on terms. */
export function LeaveTerms() {
  return <a href={withQuery(paths.checkoutPayments(), { canceled: 'resolve' })}>Go back without net terms</a>
}
