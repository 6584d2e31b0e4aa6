import type { FormReply } from '#app/forms/form.ts'
import { Field } from '#app/ui/field.tsx'
import { focusedOnLoad } from '#app/ui/refusal-focus.ts'

type Props = {
  action: string
  button: string
  label?: string
  value?: string | null
  reply?: FormReply | null
  isMain?: boolean
}

/** A form for a ZIP, submitted to a page. */
export function ZipForm({ action, button, label = 'ZIP code', value, reply, isMain = false }: Props) {
  return (
    <form className="shop-zip" method="get" action={action}>
      <Field
        name="zip"
        label={label}
        value={value}
        reply={reply ?? undefined}
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={10}
        required
        {...(reply?.errors['zip'] === undefined ? {} : focusedOnLoad)}
      />
      <button className={isMain ? 'btn primary' : 'btn'} type="submit">
        {button}
      </button>
    </form>
  )
}
