import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { hoursFields } from '#domain/settings/settings.ts'
import { phoneZones } from '#platform/phone-hours.ts'

const labels: Record<string, string> = {
  zone: 'Time zone',
  holidays: 'Holidays',
  ...Object.fromEntries(
    hoursFields.flatMap(({ day, opens, closes }) => [
      [opens, `${day} opens`],
      [closes, `${day} closes`],
    ]),
  ),
}

/** When people answer the phone. A day without times is closed. */
export function HoursForm({
  values,
  version,
  reply,
}: {
  values: Record<string, string>
  version: number
  reply: FormReply | undefined
}) {
  return (
    <Panel id="hours" title="Phone hours" note="Shown with the phone number, on pages and in emails">
      <form method="post" noValidate>
        <input type="hidden" name="seen" value={reply?.values['seen'] ?? version} />
        {reply ? (
          <PanelBody>
            <ErrorSummary reply={reply} labels={labels} />
          </PanelBody>
        ) : null}
        <PanelBody>
          <div className="office-hours">
            {hoursFields.map(({ day, opens, closes }) => (
              <fieldset key={day}>
                <legend className="visually-hidden">{day}</legend>
                {[opens, closes].map((name) => (
                  <Field
                    key={name}
                    name={name}
                    label={labels[name] ?? ''}
                    reply={reply}
                    value={values[name]}
                    type="time"
                    autoComplete="off"
                  />
                ))}
              </fieldset>
            ))}
          </div>
        </PanelBody>
        <PanelBody isPair>
          <SelectField name="zone" label="Time zone" reply={reply} value={values['zone']}>
            {Object.entries(phoneZones).map(([zone, letters]) => (
              <option key={zone} value={zone}>
                {`${zone.replace(/^.*\//, '').replaceAll('_', ' ')} (${letters})`}
              </option>
            ))}
          </SelectField>
          <TextAreaField
            name="holidays"
            label="Holidays"
            reply={reply}
            value={values['holidays']}
            rows={4}
            maxLength={1_500}
            isRequired={false}
            hint="One per line: 2026-12-25 closed Christmas Day, or 2026-12-24 HH:MM-HH:MM Christmas Eve. Shown two weeks before."
          />
        </PanelBody>
        <PanelBody>
          <button className="btn primary" name="intent" value="hours">
            Save the hours
          </button>
        </PanelBody>
      </form>
    </Panel>
  )
}
