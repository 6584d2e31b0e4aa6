import type { FormReply } from '#app/forms/form.ts'
import { SelectField } from '#app/ui/field.tsx'
import type { TimeGroup } from '#app/views/office/order-acts.server.ts'

/** Chooses one of the times that are offered, by day. */
export function SlotField({
  label,
  times,
  reply,
}: {
  label: string
  times: readonly TimeGroup[]
  reply: FormReply | undefined
}) {
  return (
    <SelectField name="slot" label={label} reply={reply}>
      <option value="">Choose</option>
      {times.map(({ day, times: ofDay }) => (
        <optgroup key={day} label={day}>
          {ofDay.map(({ value, label: time }) => (
            <option key={value} value={value}>
              {time}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}
