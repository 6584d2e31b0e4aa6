import type { FormReply } from '#app/forms/form.ts'
import { Field } from '#app/ui/field.tsx'

/** A vehicle field with its saved value. */
export type VehicleField = { name: string; label: string; value: string | null; maxLength: number }

/** The vehicle that a fleet's order is for. All of it can be said later, too. */
export function FleetVehicleFields({
  fields,
  reply,
}: {
  fields: readonly VehicleField[]
  reply: FormReply | undefined
}) {
  return (
    <fieldset className="choices">
      <legend>Vehicle</legend>
      <p className="small muted">For the fleet packet. What you leave empty can be added to the order later.</p>
      {fields.map(({ name, label, value, maxLength }) => (
        <Field
          key={name}
          name={name}
          label={label}
          value={value}
          reply={reply}
          maxLength={maxLength}
          autoComplete="off"
          required={false}
        />
      ))}
    </fieldset>
  )
}
