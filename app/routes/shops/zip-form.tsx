import type { FormReply } from '#app/forms/form.ts'
import { Field } from '#app/ui/field.tsx'

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
        autoFocus={reply?.errors['zip'] !== undefined}
      />
      <button className={isMain ? 'btn primary' : 'btn'} type="submit">
        {button}
      </button>
    </form>
  )
}
