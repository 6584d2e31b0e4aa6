import { startsAtField } from './term-panels.tsx'
import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { WeekHours } from '#app/ui/office/week-hours.tsx'
import { phoneZones } from '#platform/phone-hours.ts'

/** Phone hours. A day without times is closed. */
export function HoursForm({
  values,
  version,
  reply: posted,
}: {
  values: Record<string, string>
  version: number
  reply: FormReply | undefined
}) {
  const reply = posted?.values['intent'] === 'hours' ? posted : undefined
  return (
    <FormPanel
      id="hours"
      title="Phone hours"
      lead="Shown with the phone number, on pages and in emails"
      reply={posted}
      hidden={{ seen: version }}
      fields={{
        week: <WeekHours values={values} reply={reply} />,
        zone: {
          label: 'Time zone',
          kind: 'choice',
          value: values['zone'],
          options: Object.entries(phoneZones).map(([zone, letters]) => [
            zone,
            `${zone.replace(/^.*\//, '').replaceAll('_', ' ')} (${letters})`,
          ]),
        },
        holidays: {
          label: 'Holidays',
          kind: 'area',
          value: values['holidays'],
          max: 1_500,
          isOptional: true,
          hint: 'One per line: 2026-12-25 closed Christmas Day, or 2026-12-24 HH:MM-HH:MM Christmas Eve. Shown two weeks before.',
        },
        startsAt: {
          ...startsAtField,
          hint: `${startsAtField.hint} Hours saved for the same time replace scheduled ones.`,
        },
      }}
      buttons={[button('hours', 'Save hours', 'primary')]}
    />
  )
}
