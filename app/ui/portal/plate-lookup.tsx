import type { FormReply } from '#app/forms/form.ts'
import { Field, SelectField } from '#app/ui/field.tsx'

/** Field labels for error summaries. */
export const plateLookupLabels = { lookupPlate: 'License plate', lookupState: 'State' }

/** The codes and names of the states with plates. */
export type PlateStates = readonly (readonly [code: string, name: string])[]

/** Looks up a vehicle by license plate within a form. `drafts.js` doesn't store fields with these names on the device. */
export function PlateLookup({
  reply,
  states,
  value,
}: {
  reply: FormReply | undefined
  states: PlateStates
  value?: string | null | undefined
}) {
  const isUsed = reply?.shown !== undefined || Object.keys(plateLookupLabels).some((name) => reply?.errors[name])
  return (
    <>
      {reply?.shown === undefined ? null : (
        <p className="portal-news" role="status">
          {reply.shown}
        </p>
      )}
      <details className="portal-plate" open={isUsed}>
        <summary className="btn">Look up a license plate</summary>
        <div className="portal-when">
          <Field
            name="lookupPlate"
            label={plateLookupLabels.lookupPlate}
            reply={reply}
            value={value}
            required={false}
            maxLength={12}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          <SelectField name="lookupState" label={plateLookupLabels.lookupState} reply={reply}>
            <option value="">Choose</option>
            {states.map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <p className="muted">We don’t store the plate.</p>
        <button className="btn" name="intent" value="plate">
          Find vehicle
        </button>
      </details>
    </>
  )
}
