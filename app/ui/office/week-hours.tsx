/** The opening and closing time of each weekday in a form. */
import type { FormReply } from '#app/forms/form.ts'
import { Field } from '#app/ui/field.tsx'
import { hoursFields } from '#platform/week-hours.ts'

/** `values` has the values of `hoursFields` by field name. */
export function WeekHours({
  values,
  reply,
}: {
  values: Readonly<Record<string, string>>
  reply: FormReply | undefined
}) {
  return (
    <div className="office-hours field-wide">
      {hoursFields.map(({ day, opens, closes }) => (
        <fieldset key={day}>
          <legend className="visually-hidden">{day}</legend>
          {[
            { name: opens, label: `${day} opens` },
            { name: closes, label: `${day} closes` },
          ].map((field) => (
            <Field
              key={field.name}
              {...field}
              reply={reply}
              value={values[field.name]}
              type="time"
              autoComplete="off"
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}
