import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CellSelect, FieldInput, type FormField } from './form-fields.tsx'

const conflict = (values: Record<string, string>) => ({ values, errors: {}, isConflict: true })
const render = (field: FormField, values: Record<string, string>) =>
  renderToStaticMarkup(<FieldInput name="it" field={field} reply={conflict(values)} />)

test.for<[FormField, Record<string, string>, string | null]>([
  [{ label: 'Name', value: 'North' }, { it: 'South' }, 'North'],
  [{ label: 'Name', value: 'North' }, { it: 'North' }, null],
  [{ label: 'Name', value: null }, { it: 'South' }, 'empty'],
  [{ label: 'Reason' }, { it: 'Typed' }, null],
  [{ label: 'Days', kind: 'area', max: 9, value: 'a\nb' }, { it: 'a\r\nb' }, null],
  [{ label: 'Labels', kind: 'choice', options: [['hand', 'By hand']], value: 'hand' }, { it: 'carrier' }, 'By hand'],
  [{ label: 'Ships', kind: 'switch', isOn: true, on: 'on', off: 'off' }, { it: 'off' }, 'on'],
  [{ label: 'Ships', kind: 'switch', isOn: false }, { it: '1' }, 'off'],
  [{ label: 'Ships', kind: 'switch', isOn: false }, {}, null],
  [{ label: 'Taken', kind: 'tick', isTicked: true }, {}, 'on'],
])('after a conflict, %j with %j shows the saved value: %s', ([field, values, saved]) => {
  const html = render(field, values)
  if (saved === null) expect(html).not.toContain('Saved now')
  else expect(html).toContain(`Saved now: ${saved}`)
})

test('a choice in a table shows the saved value after a conflict', () => {
  const options = [
    ['1', '1st'],
    ['2', '2nd'],
  ] as const
  const html = renderToStaticMarkup(
    <CellSelect name="place" label="Place" value="1" options={options} reply={conflict({ place: '2' })} />,
  )
  expect(html).toContain('Saved now: 1st')
  expect(html).toMatch(/aria-describedby="place-hint"/)
})
