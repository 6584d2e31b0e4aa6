import type { FormReply } from '#app/forms/form.ts'
import { SelectField } from '#app/ui/field.tsx'
import { stateOptions } from '#app/ui/states.ts'

/** A choice of the states we ship to, initially unselected. */
export function StateField({
  name = 'state',
  value,
  reply,
  autoComplete,
}: {
  name?: string
  value?: string | null | undefined
  reply: FormReply | undefined
  autoComplete: string
}) {
  return (
    <SelectField name={name} label="State" value={value} reply={reply} autoComplete={autoComplete}>
      <option value="">Choose</option>
      {stateOptions.map(([code, words]) => (
        <option key={code} value={code}>
          {words}
        </option>
      ))}
    </SelectField>
  )
}
